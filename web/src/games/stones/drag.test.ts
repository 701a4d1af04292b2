// Dragging: a tap is no drag, and a cancelled touch or a second finger drops nothing.
import { expect, it } from 'vitest';
import { follow, press, type Drag } from './drag';

const at = (type: string, x: number, y: number, pointerId = 1) => ({ type, pointerId, clientX: x, clientY: y });
const begun = press(at('pointerdown', 10, 10), { kind: 'artist', n: 4 });
const after = (drag: Drag | null, ...events: ReturnType<typeof at>[]) => events.reduce((now, event) => follow(now.drag, event), { drag, dropped: null as Drag | null });

it('is a tap until the pointer has moved away', () => {
  expect(after(begun, at('pointermove', 14, 12)).drag?.moving).toBe(false);
  expect(after(begun, at('pointermove', 14, 12), at('pointerup', 14, 12)).dropped).toBeNull();
});
it('drops what it carries where the pointer is lifted', () => {
  const { drag, dropped } = after(begun, at('pointermove', 60, 40), at('pointerup', 90, 50));
  expect(drag).toBeNull();
  expect(dropped).toMatchObject({ what: { kind: 'artist', n: 4 }, x: 90, y: 50 });
});
it('drops nothing when cancelled, or when another finger comes', () => {
  for (const end of [at('pointercancel', 60, 40), at('pointerdown', 5, 5, 2), at('blur', 0, 0)]) {
    expect(after(begun, at('pointermove', 60, 40), end)).toEqual({ drag: null, dropped: null });
  }
});
