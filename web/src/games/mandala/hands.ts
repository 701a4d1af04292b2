// What understands keys and drags, and answers in words: fetched as soon as the table stands, which needs none of it at first.
import { of } from './counts';
import { colourKey, isArrow, nearest, pressColour } from './keyboard';
import type { Table } from './table.svelte';

export { refusalInWords, refusedInWords } from './answers';
export { follow, press } from './drag';

/** Walk to what lies in an arrow's direction; from nowhere to the first card. */
function walk(root: HTMLElement, key: string): void {
  const all = [...root.querySelectorAll<HTMLElement>('[data-nav]:not(:disabled)')].filter((e) => e.offsetWidth > 0);
  const here = document.activeElement as HTMLElement;
  const from = all.includes(here) ? nearest(all.map((e) => e.getBoundingClientRect()), here.getBoundingClientRect(), key) : 0;
  all[all.includes(here) ? from : Math.max(0, all.findIndex((e) => e.dataset['hand'] || e.dataset['claim']))]?.focus();
}

/** Do what a key asks for at the table in `root`. */
export function answerKey(table: Table, root: HTMLElement, event: KeyboardEvent): void {
  if (event.key === 'Escape') {
    table.skip();
    if (table.back()) event.preventDefault();
    return;
  }
  if (isArrow(event.key) && !event.altKey && !event.ctrlKey && !event.metaKey) {
    walk(root, event.key);
    event.preventDefault();
    return;
  }
  const colour = colourKey(event);
  if (!colour || !table.choices.length) return;
  if (table.claiming) {
    root.querySelector<HTMLElement>(`[data-claim="${colour}"]`)?.focus();
    if (table.choices.some((c) => c.colour === colour)) table.hold({ colour, picks: [0], place: 'c' });
  } else {
    table.hold(pressColour(table.held, colour, of(table.shown!.sides[table.me!]!.hand, colour)));
    root.querySelector<HTMLElement>(`[data-hand="${colour}"]`)?.focus();
  }
}
