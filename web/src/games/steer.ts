// Walking by arrow keys: which element lies next in a direction, and the focus goes there. Used by every game's table.

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const WAYS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Is this key one of the four arrows? */
export const isArrow = (key: string): boolean => key in WAYS;

const spanGap = (a: number, aSize: number, b: number, bSize: number): number => Math.max(0, b - (a + aSize), a - (b + bSize));

/**
 * Index of the box that lies next to `from` in the direction of an arrow key, or -1. What overlaps in the cross
 * direction is near; what lies aside counts three times its distance, so rows and columns are followed first: on the main board
 * of Mandala Stones that leads from an artist space over the stack beside it to the next space.
 */
export function nearest(boxes: readonly Box[], from: Box, key: string): number {
  const way = WAYS[key];
  if (!way) return -1;
  const [dx, dy] = way;
  let best = -1;
  let least = Infinity;
  boxes.forEach((box, i) => {
    const ahead = dx ? dx * (box.x + box.width / 2 - from.x - from.width / 2) : dy * (box.y + box.height / 2 - from.y - from.height / 2);
    // Beside is not ahead: a lifted card is a little higher than its neighbours.
    if (ahead < (dx ? Math.min(box.width, from.width) : Math.min(box.height, from.height)) / 3) return;
    const aside = dx ? spanGap(from.y, from.height, box.y, box.height) : spanGap(from.x, from.width, box.x, box.width);
    const off = dx ? Math.abs(box.y + box.height / 2 - from.y - from.height / 2) : Math.abs(box.x + box.width / 2 - from.x - from.width / 2);
    const cost = ahead + 3 * aside + off / 8;
    if (cost < least) [least, best] = [cost, i];
  });
  return best;
}

/** Walk to what lies in an arrow's direction; from nowhere to what fits `first`, or else to the first thing there is. */
export function walk(root: HTMLElement, key: string, first: string): void {
  const all = [...root.querySelectorAll<HTMLElement>('[data-nav]:not(:disabled)')].filter((e) => e.offsetWidth > 0);
  const here = document.activeElement as HTMLElement;
  const next = all.includes(here) ? all[nearest(all.map((e) => e.getBoundingClientRect()), here.getBoundingClientRect(), key)] : (all.find((e) => e.matches(first)) ?? all[0]);
  next?.focus();
}
