// Cards in the air: measures where they leave, hides them where they will land, and says what flies from where to where.
import { sweep, type Stream } from './sand';
import type { Flight } from './stage';

/** One card on its way, in pixels of the table; sizes are edge lengths. */
export interface Traveller {
  readonly id: number;
  readonly card: string;
  readonly x0: number;
  readonly y0: number;
  readonly c0: number;
  readonly x1: number;
  readonly y1: number;
  readonly c1: number;
  readonly delay: number;
  readonly done: () => void;
}

interface Spot {
  readonly x: number;
  readonly y: number;
  readonly c: number;
}

let ids = 0;

/** Middle and card size of the `i`-th card from the end at an anchor, or of the anchor itself. */
function spot(root: HTMLElement, anchor: string, card: string, i: number, source: boolean): Spot | null {
  const place = root.querySelector<HTMLElement>(`[data-at="${anchor}"]`);
  if (!place) return null;
  const ground = root.getBoundingClientRect();
  let found = [...place.querySelectorAll<HTMLElement>(`[data-c="${card}"]`)].filter((e) => e.offsetWidth > 0);
  const lifted = found.filter((e) => e.closest('[data-lifted]'));
  if (source && lifted.length) found = lifted;
  const element = found[found.length - 1 - i] ?? found[0] ?? place;
  const box = element.getBoundingClientRect();
  return { x: box.x - ground.x + box.width / 2, y: box.y - ground.y + box.height / 2, c: Math.min(box.width, box.height) };
}

/** Prepare flights before the picture changes; `go` sends them off once it has, and resolves when all have landed. */
export function travel(root: HTMLElement, canvas: HTMLCanvasElement | null, flights: readonly Flight[]) {
  // Of one heap the first flight takes the uppermost cards, the next one those below.
  const taken: Record<string, number> = {};
  const starts = flights.map((f) => {
    const heap = `${f.from} ${f.card}`;
    const above = taken[heap] ?? 0;
    taken[heap] = above + f.count;
    return Array.from({ length: Math.min(f.count, 8) }, (_, i) => spot(root, f.from, f.card, above + i, true)).filter((s) => s !== null);
  });
  const landing: Record<string, number> = {};
  for (const f of flights) landing[`${f.to} ${f.card}`] = f.count;
  let stopped = false;
  return {
    landing,
    stop: () => (stopped = true),
    async go(show: (flying: Traveller[]) => void): Promise<void> {
      const waits: Promise<void>[] = [];
      const streams: Stream[] = [];
      const flying: Traveller[] = [];
      flights.forEach((f, k) => {
        const from = starts[k]!;
        if (f.sand) {
          const to = spot(root, f.to, f.card, 0, false);
          if (to && from.length) streams.push({ from, to, colour: getColour(root, f.card), lies: f.to.startsWith('river') });
          return;
        }
        from.forEach(({ x: x0, y: y0, c: c0 }, i) => {
          const to = spot(root, f.to, f.card, from.length - 1 - i, false);
          if (!to) return;
          const { x: x1, y: y1, c: c1 } = to;
          const delay = flying.length * 110;
          waits.push(new Promise((done) => flying.push({ id: ++ids, card: f.card, x0, y0, c0, x1, y1, c1: Math.min(c1, c0 * 1.6), delay, done })));
        });
      });
      if (canvas) waits.push(sweep(canvas, streams, () => stopped));
      show(flying);
      await Promise.all(waits);
    },
  };
}

/** The sand colour of a card as the style sheet has it now. */
function getColour(root: HTMLElement, card: string): string {
  const probe = root.querySelector<HTMLElement>(`[data-c="${card}"]`) ?? root;
  return getComputedStyle(probe).backgroundColor.replace('rgba(0, 0, 0, 0)', '') || COLOUR[card] || '#b9a06a';
}
const COLOUR: Record<string, string> = { K: '#3a3638', G: '#41754a', P: '#6b4d92', Y: '#dca62a', O: '#c05c26', R: '#a02b2d' };
