// Keyboard: what a key means at the table, and which element lies next in an arrow's direction. Pure lookup and geometry.

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const WAYS: Record<string, readonly [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

type KeyLike = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** What a key asks for; keys held with a modifier belong to the browser. */
export type Wish =
  | { readonly kind: 'arrow'; readonly key: string }
  | { readonly kind: 'colour'; readonly key: string }
  | { readonly kind: 'space'; readonly n: number }
  | { readonly kind: 'tops' }
  | { readonly kind: 'back' };

/** The wish of a key: arrows walk, Y R B P score a colour, Q single stones, 1..5 mean an own space, Esc takes back; null for any other. */
export function wish(event: KeyLike): Wish | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  if (key in WAYS) return { kind: 'arrow', key };
  if (/^[YRBP]$/.test(key)) return { kind: 'colour', key };
  if (/^[1-5]$/.test(key)) return { kind: 'space', n: Number(key) };
  return key === 'Q' ? { kind: 'tops' } : key === 'Escape' ? { kind: 'back' } : null;
}

const gap = (a: number, aSize: number, b: number, bSize: number): number => Math.max(0, b - (a + aSize), a - (b + bSize));

/**
 * Index of the box that lies next to `from` in the direction of an arrow key, or -1. What overlaps in the cross direction is
 * near; what lies aside counts three times its distance, so that rows and columns are followed first: on the main board that
 * leads from an artist space over the stack beside it to the next space.
 */
export function nearest(boxes: readonly Box[], from: Box, key: string): number {
  const way = WAYS[key];
  if (!way) return -1;
  const [dx, dy] = way;
  let best = -1;
  let least = Infinity;
  boxes.forEach((box, i) => {
    const [across, down] = [box.x + box.width / 2 - from.x - from.width / 2, box.y + box.height / 2 - from.y - from.height / 2];
    const ahead = dx ? dx * across : dy * down;
    // Beside is not ahead.
    if (ahead < (dx ? Math.min(box.width, from.width) : Math.min(box.height, from.height)) / 3) return;
    const aside = dx ? gap(from.y, from.height, box.y, box.height) : gap(from.x, from.width, box.x, box.width);
    const cost = ahead + 3 * aside + Math.abs(dx ? down : across) / 8;
    if (cost < least) [least, best] = [cost, i];
  });
  return best;
}
