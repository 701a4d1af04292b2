// Dragging: taps stay taps, drops are drops, and nothing is left behind by a cancelled touch or a second finger.
import { describe, expect, it } from 'vitest';
import { follow, press } from './drag';

const at = (type: string, x: number, y: number, pointerId = 1) => ({ type, pointerId, clientX: x, clientY: y });

describe('drag', () => {
  const start = press(at('pointerdown', 10, 10), { colour: 'Y', count: 2 });

  it('is no drag until the finger has moved', () => {
    const { drag } = follow(start, at('pointermove', 14, 12));
    expect(drag?.moving).toBe(false);
    expect(follow(drag, at('pointerup', 14, 12))).toEqual({ drag: null, dropped: null });
  });
  it('drops where it is let go', () => {
    const { drag } = follow(start, at('pointermove', 60, 10));
    expect(drag).toMatchObject({ moving: true, x: 60, what: { colour: 'Y', count: 2 } });
    const { drag: after, dropped } = follow(drag, at('pointerup', 80, 30));
    expect(after).toBeNull();
    expect(dropped).toMatchObject({ x: 80, y: 30 });
  });
  it('ends without a drop when cancelled, when focus is lost, or by a second finger', () => {
    const { drag } = follow(start, at('pointermove', 60, 10));
    for (const end of [at('pointercancel', 0, 0), at('blur', 0, 0), at('pointerdown', 200, 200, 2)]) {
      expect(follow(drag, end)).toEqual({ drag: null, dropped: null });
    }
  });
  it('ignores the moves of other pointers', () => {
    expect(follow(start, at('pointermove', 300, 300, 2)).drag).toBe(start);
    expect(follow(null, at('pointerup', 0, 0))).toEqual({ drag: null, dropped: null });
  });
});
