// What understands keys and drags, and answers in words: fetched as soon as the table stands, which needs none of it at first.
import { isArrow, walk } from '../steer';
import { of } from './counts';
import { colourKey, pressColour } from './keyboard';
import type { Table } from './table.svelte';

export { refusalInWords, refusedInWords } from './answers';
export { follow, press } from '../drag';
export { agreed } from '../agreed';
export { eventInWords, stepInWords } from './tell';

/** Do what a key asks for at the table in `root`. */
export function answerKey(table: Table, root: HTMLElement, event: KeyboardEvent): void {
  if (event.key === 'Escape') {
    table.skip();
    if (table.back()) event.preventDefault();
    return;
  }
  if (isArrow(event.key) && !event.altKey && !event.ctrlKey && !event.metaKey) {
    walk(root, event.key, '[data-hand], [data-claim]');
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
