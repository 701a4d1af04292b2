// Names of actions: composed and read as the rules write them.
import { expect, it } from 'vitest';
import { pickAction, read, topsAction } from './notation';
import { legal } from './samples';

it('composes what it reads, for every kind of action', () => {
  for (const action of legal) {
    const said = read(action)!;
    const again = said.kind === 'pick' ? pickAction(said.artist, said.to, said.first, said.space) : said.kind === 'tops' ? topsAction(said.spaces) : `s${said.colour}`;
    expect(again).toBe(action);
  }
});
it('writes stacks with two digits and spaces rising', () => {
  expect(pickAction(8, 1, 4, 5)).toBe('pA8-A1:S04@5');
  expect(topsAction([5, 1, 3])).toBe('q135');
});
it('reads nothing into what it does not know', () => {
  for (const action of ['-', '', 'sK', 'q', 'q16', 'pA2-A5', 'b1Y']) expect(read(action)).toBeNull();
});
