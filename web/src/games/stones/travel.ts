// Stones, artists and points in the air: measures where they leave before the picture changes, and lets copies fly to where they lie now.
// The copies are plain elements over the table, so that no component needs to know of them.
import './air.css';
import { at } from './anchors';
import type { Beat } from './stage';
import type { Air } from './table.svelte';

interface Journey {
  /** What of the new picture is on its way at first. */
  readonly air: Air | null;
  /** Called when the new picture stands; says what has landed each time, and resolves when everything has. */
  arrive(landed: (part: Partial<Air>) => void): Promise<unknown>;
  /** End it at once. */
  stop(): void;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Times in milliseconds: all that leaves is lifted first, together; then one follows the other. */
const LIFT = 170;
const FLIGHT = 460;
/** Longest time from one start to the next, and from the first to the last. */
const GAP = 160;
const ROW = 480;
/** How long points are read where they were won, and how long they take to the player's sum. */
const READ = 380;
const HOME = 340;

const find = (root: HTMLElement, anchor: string): HTMLElement | null =>
  [...root.querySelectorAll<HTMLElement>(`[data-at="${anchor}"]`)].find((e) => e.getBoundingClientRect().width > 0) ?? null;
/** The stone or the artist that is meant at an anchor: by its place in a tower, or the topmost. */
const piece = (root: HTMLElement, anchor: string, i = -1): SVGGraphicsElement | null =>
  [...(find(root, anchor)?.querySelectorAll<SVGGraphicsElement>('[data-stone], [data-artist]') ?? [])].at(i) ?? null;
const box = (e: Element, ground: DOMRect): Box => {
  const { x, y, width, height } = e.getBoundingClientRect();
  return { x: x - ground.x, y: y - ground.y, width, height };
};
const middle = ({ x, y, width, height }: Box): [number, number] => [x + width / 2, y + height / 2];

/** A copy of a piece that can lie anywhere over the table. */
function copyOf(found: SVGGraphicsElement, size: Box): HTMLElement {
  const span = document.createElement('span');
  span.className = 'fly';
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const inner = found.cloneNode(true) as SVGGraphicsElement;
  if (found instanceof SVGSVGElement) svg.setAttribute('viewBox', found.getAttribute('viewBox')!);
  else {
    const b = found.getBBox();
    svg.setAttribute('viewBox', `${b.x} ${b.y} ${b.width} ${b.height}`);
    inner.removeAttribute('transform');
  }
  inner.style.visibility = '';
  svg.append(...(found instanceof SVGSVGElement ? inner.childNodes : [inner]));
  span.append(svg);
  span.style.width = `${size.width}px`;
  span.style.height = `${size.height}px`;
  return span;
}

/**
 * Send a copy from one box to the other: lifted at once, then after `wait` off in a low bow. `size` is the copy's own box;
 * `fade` says how visible it is at the lift and at the landing. Resolves when it has landed.
 */
function fly(layer: HTMLElement, copy: HTMLElement, size: Box, from: Box, to: Box, wait: number, fade: readonly [number, number] = [1, 1]): Promise<unknown> {
  const [[x0, y0], [x1, y1]] = [middle(from), middle(to)];
  const pose = (x: number, y: number, width: number) => `translate(${x - size.width / 2}px, ${y - size.height / 2}px) scale(${width / size.width})`;
  const lift = Math.min(16, from.width * 0.28);
  const bow = Math.min(40, Math.hypot(x1 - x0, y1 - y0) * 0.14);
  const all = LIFT + wait + FLIGHT;
  layer.append(copy);
  return copy.animate(
    [
      { transform: pose(x0, y0, from.width), opacity: fade[0], easing: 'ease-out' },
      { transform: pose(x0, y0 - lift, from.width), opacity: fade[0], offset: LIFT / all },
      { transform: pose(x0, y0 - lift, from.width), opacity: fade[0], offset: (LIFT + wait) / all, easing: 'cubic-bezier(.5,.05,.6,.6)' },
      { transform: pose((x0 + x1) / 2, (y0 - lift + y1) / 2 - bow, Math.max(from.width, to.width)), opacity: 1, offset: (LIFT + wait + FLIGHT * 0.48) / all, easing: 'cubic-bezier(.3,.4,.3,1)' },
      { transform: pose(x1, y1, to.width), opacity: fade[1] },
    ],
    { duration: all, fill: 'both' },
  ).finished.catch(() => undefined);
}

/** Points that show where they were won, are read, and go to the player's sum; resolves when they are there. */
function pay(layer: HTMLElement, points: number, from: Box, sum: Box | null, delay: number, read: number): Promise<unknown> {
  const mark = document.createElement('b');
  mark.className = 'won';
  mark.textContent = `+${points}`;
  layer.append(mark);
  const [x, y] = [from.x + from.width / 2, from.y];
  const [x1, y1] = sum ? middle(sum) : [x, y - 24];
  const pose = (x: number, y: number, size: number) => `translate(-50%, -50%) translate(${x}px, ${y}px) scale(${size})`;
  const all = 120 + read + HOME;
  return mark.animate(
    [
      { transform: pose(x, y, 0.6), opacity: 0 },
      { transform: pose(x, y - 8, 1), opacity: 1, offset: 120 / all },
      { transform: pose(x, y - 8, 1), opacity: 1, offset: (120 + read) / all, easing: 'cubic-bezier(.5,.05,.3,1)' },
      { transform: pose(x1, y1, 0.9), opacity: 1, offset: 0.97 },
      { transform: pose(x1, y1, 0.9), opacity: 0 },
    ],
    { duration: all, delay, fill: 'both' },
  ).finished.catch(() => undefined);
}

/** A ring that opens round a place where something has come to lie. */
function ripple(layer: HTMLElement, { x, y, width, height }: Box): void {
  const ring = document.createElement('i');
  ring.className = 'landed';
  Object.assign(ring.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
  layer.append(ring);
  ring.animate([{ transform: 'scale(0.9)', opacity: 1 }, { transform: 'scale(1.7)', opacity: 0 }], { duration: 420, easing: 'ease-out', fill: 'both' });
}

/** Travel of one beat. Call it before the picture changes. */
export const travel = (root: HTMLElement, beat: Beat): Journey => {
  const ground = root.getBoundingClientRect();
  const { event, flights } = beat;
  const scored = event?.type === 'score' ? event : null;
  const starts = flights.map(({ from }) => {
    const found = piece(root, from);
    const place = found ?? find(root, from);
    if (!place) return null;
    const size = box(place, ground);
    // A stone lies flat in the mandala: on its way the one look passes into the other.
    return { size, look: scored && found && copyOf(found, size) };
  });
  const layer = document.createElement('div');
  layer.className = 'air';
  layer.setAttribute('aria-hidden', 'true');
  const hidden: SVGGraphicsElement[] = [];
  const gap = Math.min(GAP, ROW / Math.max(1, flights.length - 1));

  /** Everything that one flight takes along; resolves when all of it has arrived. */
  async function send(i: number, landed: (part: Partial<Air>) => void): Promise<void> {
    const { to: anchor } = flights[i]!;
    const start = starts[i];
    const found = piece(root, anchor, event?.type === 'gather' ? i : -1);
    const [stones, points] = scored ? [1, scored.stones[i]!.points] : [0, 0];
    const to = found && box(found, ground);
    // What cannot be seen has arrived.
    if (!start?.size.width || !found || !to?.width) return landed({ stones, points: points + bonusOf(i) });
    // A tower throws no shadow before its first stone.
    const unseen = event?.type === 'gather' && i === 0 ? [found, ...found.parentElement!.querySelectorAll<SVGGraphicsElement>(':scope > use')] : [found];
    hidden.push(...unseen);
    for (const e of unseen) e.style.visibility = 'hidden';
    const copy = copyOf(found, to);
    const { size: from, look } = start;
    if (look) void fly(layer, look, from, from, to, i * gap, [1, 0]).then(() => look.remove());
    const way = fly(layer, copy, to, from, to, i * gap, look ? [0, 1] : [1, 1]).then(() => {
      for (const e of unseen) e.style.visibility = '';
      copy.remove();
      if (scored) ripple(layer, to);
    });
    if (!scored) return void (await way);
    const sum = find(root, at.points(scored.seat));
    const goal = sum && box(sum, ground);
    const add = (points: number) => {
      landed({ points });
      sum?.animate([{ scale: 1 }, { scale: 1.22 }, { scale: 1 }], { duration: 240 });
    };
    const bonus = bonusOf(i);
    await Promise.all([
      way.then(() => landed({ stones })),
      pay(layer, points, from, goal, 0, i * gap + READ).then(() => add(points)),
      bonus ? way.then(() => pay(layer, bonus, to, goal, 0, READ)).then(() => add(bonus)) : null,
    ]);
  }
  const bonusOf = (i: number): number => scored?.bonuses.find(({ place }) => place === scored.places[i])?.points ?? 0;

  return {
    air: scored
      ? { seat: scored.seat, stones: scored.stones.length, points: scored.points }
      : event?.type === 'gather'
        ? { seat: event.seat, stones: 0, points: 0, tower: event.space }
        : null,
    stop() {
      layer.remove();
      for (const e of hidden) e.style.visibility = '';
    },
    async arrive(landed) {
      root.append(layer);
      // What comes to light does so for all to see.
      if (event?.type === 'uncover') for (const { stack } of event.stones) piece(root, at.stack(stack))?.animate([{ filter: 'brightness(1.35)' }, { filter: 'none' }], 450);
      await Promise.all(flights.map((_, i) => send(i, landed)));
    },
  };
};
