// What keys do at the table: arrows walk, letters and numbers choose, Esc takes back.
import { walk } from '../steer';
import { wish } from './keyboard';
import type { StonesTable } from './table.svelte';
import { cancel } from './touch';

/** Do what a key asks for at the table in `root`. */
export function answerKey(table: StonesTable, root: HTMLElement, event: KeyboardEvent): void {
  const wanted = wish(event);
  if (!wanted) return;
  if (wanted.kind === 'arrow') walk(root, wanted.key, '.can');
  else if (wanted.kind !== 'back') {
    // The focus goes along, so that Enter confirms; among single tops it stays, for more of them.
    const at = wanted.kind === 'colour' ? `[data-colour="${wanted.key}"]` : wanted.kind === 'tops' ? '[data-tops]' : table.scoring ? '' : `[data-space="${wanted.n}"]`;
    if (at) root.querySelector<HTMLElement>(at)?.focus();
    if (wanted.kind === 'colour') table.colour(wanted.key);
    else if (wanted.kind === 'space') table.space(wanted.n);
    else table.tops();
  } else {
    table.skip();
    if (!cancel(table)) return;
  }
  event.preventDefault();
}
