// Stones and artists in the air: measures where they leave before the picture changes, and lets copies fly to where they lie now.
// The copies are plain elements over the table, so that no component needs to know of them.
import type { Journey, Travel } from './table.svelte';
import type { Beat } from './stage';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const find = (root: HTMLElement, anchor: string): Element | null => root.querySelector(`[data-at="${anchor}"]`);
/** The stone or the artist that is meant at an anchor: by its place in a tower, or the topmost. */
function piece(root: HTMLElement, anchor: string, i = -1): SVGGraphicsElement | null {
  const place = find(root, anchor);
  return [...(place?.querySelectorAll<SVGGraphicsElement>('[data-stone], [data-artist]') ?? [])].at(i) ?? null;
}
const box = (e: Element, ground: DOMRect): Box => {
  const { x, y, width, height } = e.getBoundingClientRect();
  return { x: x - ground.x, y: y - ground.y, width, height };
};

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

/** Send a copy from one box to the other in a low bow; resolves when it has landed. */
function fly(layer: HTMLElement, copy: HTMLElement, from: Box, to: Box, delay: number, time: number): Promise<unknown> {
  const pose = (x: number, y: number, s: number) => `translate(${x}px, ${y}px) scale(${s})`;
  const [s0, s1] = [from.width / to.width, 1];
  const bow = Math.min(46, Math.hypot(to.x - from.x, to.y - from.y) * 0.16);
  layer.append(copy);
  const way = copy.animate(
    [
      { transform: pose(from.x, from.y, s0) },
      { transform: pose((from.x + to.x) / 2, (from.y + to.y) / 2 - bow, Math.max(s0, s1) * 1.08), offset: 0.5 },
      { transform: pose(to.x, to.y, s1) },
    ],
    { duration: time, delay, easing: 'cubic-bezier(.45,.05,.25,1)', fill: 'both' },
  );
  return way.finished.catch(() => undefined);
}

/** Points that rise from where they were won. */
function rise(layer: HTMLElement, text: string, at: Box, delay: number): Promise<unknown> {
  const mark = document.createElement('b');
  mark.className = 'won';
  mark.textContent = text;
  mark.style.left = `${at.x + at.width / 2}px`;
  mark.style.top = `${at.y}px`;
  layer.append(mark);
  return mark.animate(
    [{ opacity: 0, transform: 'translate(-50%, 0)' }, { opacity: 1, transform: 'translate(-50%, -14px)', offset: 0.25 }, { opacity: 1, offset: 0.75 }, { opacity: 0, transform: 'translate(-50%, -34px)' }],
    { duration: 1300, delay, fill: 'both' },
  ).finished.catch(() => undefined);
}

/** Travel of one beat. Call it before the picture changes. */
export const travel: Travel = (root: HTMLElement, beat: Beat): Journey => {
  const ground = root.getBoundingClientRect();
  const starts = beat.flights.map(({ from }) => {
    const e = piece(root, from) ?? find(root, from);
    return e && box(e, ground);
  });
  const layer = document.createElement('div');
  layer.className = 'air';
  layer.setAttribute('aria-hidden', 'true');
  const hidden: SVGGraphicsElement[] = [];
  const stop = () => {
    layer.remove();
    for (const e of hidden) e.style.visibility = '';
  };
  return {
    stop,
    async arrive() {
      const { event } = beat;
      root.append(layer);
      const waits = beat.flights.map((flight, i) => {
        const from = starts[i];
        const found = piece(root, flight.to, event?.type === 'gather' ? i : -1);
        if (!from || !found) return null;
        const to = box(found, ground);
        const copy = copyOf(found, to);
        // A tower throws no shadow before its first stone.
        const unseen = event?.type === 'gather' && i === 0 ? [found, ...found.parentElement!.querySelectorAll<SVGGraphicsElement>(':scope > use')] : [found];
        hidden.push(...unseen);
        for (const e of unseen) e.style.visibility = 'hidden';
        const delay = i * (event?.type === 'score' ? 420 : 260);
        if (event?.type === 'score') {
          const bonus = event.bonuses.find((b) => b.place === event.places[i]);
          void rise(layer, `+${event.stones[i]!.points}`, from, delay);
          if (bonus) void rise(layer, `+${bonus.points}`, to, delay + 560);
        }
        return fly(layer, copy, from, to, delay, event?.type === 'move' ? 700 : 620).then(() => {
          for (const e of unseen) e.style.visibility = '';
          copy.remove();
        });
      });
      await Promise.all(waits);
      // The last points are still read.
      if (event?.type === 'score') await new Promise((resolve) => setTimeout(resolve, 700));
    },
  };
};
