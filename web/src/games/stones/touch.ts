// What a touch means at the table: something is chosen, played, or answered with the rule that forbids it. Decides nothing about rules:
// every answer is looked up in the view's choices.
import { follow, type PointerLike } from '../drag';
import { NOBODY, NOTHING, pickOf, picking, settled, toScore, type Chosen, type Selection } from './selection';
import type { Place, StonesTable } from './table.svelte';
import type { StonesChoices } from './types';

/** The rule behind what a stack says of itself. */
const YIELD = { empty: 'empty_stack', pattern: 'wrong_pattern', blocked: 'blocked' } as const;

/** Whether a touch can mean a move now; if not, it is said why. A touch while pictures play only hurries them on. */
function asked(table: StonesTable): boolean {
  if (table.choices) return true;
  if (table.playing) table.skip();
  else if (table.mine !== null && !table.session.pending && table.shown?.phase !== 'over') table.refuse(table.paused ? 'paused' : 'not_your_turn');
  return false;
}

/** Let go of what was chosen last; says whether there was anything to let go of. */
export function cancel(table: StonesTable): boolean {
  const had = table.scoring !== null || table.chosen.artist !== null || table.answered !== null || table.session.highlight !== null;
  table.hold(back(table.choices, table.held));
  return had;
}

/** Let go of what was chosen last. What followed by itself goes with what it followed from. */
export function back(choices: StonesChoices | null, { chosen, scoring }: Selection): Selection {
  if (scoring || chosen.to === null) return NOTHING;
  const steps: Chosen[] = [{ ...chosen, space: null }, { ...chosen, space: null, first: null }, { ...NOBODY, artist: chosen.artist }];
  const before = steps.find((step) => {
    const now = settled(choices, step);
    return now.space !== chosen.space || now.first !== chosen.first || now.to !== chosen.to;
  });
  return picking(before ?? { artist: chosen.artist });
}

/** What comes before any place or stack: room for a tower, then an artist. */
const first = (table: StonesTable): string => (table.choices!.spaces.length ? 'choose_artist' : 'board_full');

/** Touch an artist space: choose its artist, put it down again, or bring the chosen one there. */
export function artist(table: StonesTable, space: number): void {
  if (!asked(table)) return;
  if (!table.view.artists.some((a) => a.space === space)) return destination(table, space);
  if (table.chosen.artist === space) return table.hold(NOTHING);
  if (!table.choices!.spaces.length) return table.refuse('board_full');
  table.hold(picking({ artist: space }));
}

/** Touch a vacant artist space. */
function destination(table: StonesTable, to: number): void {
  if (!asked(table)) return;
  const { artist } = table.chosen;
  if (artist === null) return table.refuse(first(table));
  const pick = pickOf(table.choices, artist, to);
  if (!pick) return table.refuse(artist === to ? 'must_move' : 'space_occupied');
  if (pick.refusal) {
    table.hold(picking({ artist }));
    table.over = to;
    return table.refuse('', {}, pick);
  }
  table.hold(picking(settled(table.choices, { artist, to, first: null, space: null })));
}

/** Touch a stack: choose the first stone, or hear why there is none to have. */
export function stack(table: StonesTable, stack: number): void {
  if (!asked(table)) return;
  const { artist, to } = table.chosen;
  const pick = pickOf(table.choices, artist, to);
  if (!pick) return table.refuse(artist === null ? first(table) : 'choose_space');
  const given = pick.yields.find((y) => y.stack === stack);
  if (!given) return table.refuse('not_beside');
  if (given.refusal) return table.refuse(YIELD[given.refusal], { artist: given.blocker ?? 0 });
  // Touching the bottom stone once more can only mean: not this one.
  if (table.chosen.first === stack) return table.refuse('no_decline');
  table.hold(picking(settled(table.choices, { artist, to, first: stack, space: null })));
}

/** Touch an own space: put the tower there, do it when it stands there already, score the tower on it, or hear how it pays. */
export function space(table: StonesTable, n: number): void {
  const tower = () => table.view.sides[table.mine!]!.towers[n - 1];
  const idle = table.chosen.to === null && table.mine !== null && !table.playing;
  if (idle && table.scoring?.kind !== 'tops' && !tower()) return table.refuse('how_it_pays', { space: n });
  if (!asked(table)) return;
  const { to, first, space } = table.chosen;
  if (to === null) return tower() ? top(table, n) : table.refuse('no_tower');
  if (tower()) return table.refuse('space_taken');
  if (first === null) return table.refuse('choose_first');
  if (space === n) return table.confirm();
  table.hold(picking({ ...table.chosen, space: n }));
}

/** Choose a colour to score; again: do it. */
export function colour(table: StonesTable, colour: string): void {
  if (!asked(table)) return;
  const refusal = table.choices!.colours.find((c) => c.colour === colour)?.refusal;
  if (refusal) return table.refuse(refusal.code, refusal.params);
  if (table.scoring?.kind === 'colour' && table.scoring.colour === colour) return table.confirm();
  table.hold(toScore({ kind: 'colour', colour }));
}

/** Choose single tops to score, none at first; again: do it, or let go of none. */
export function tops(table: StonesTable): void {
  if (!asked(table)) return;
  if (!table.choices!.tops.length) return table.refuse('no_tower');
  if (table.scoring?.kind === 'tops' && table.scoring.spaces.length) return table.confirm();
  table.hold(table.scoring?.kind === 'tops' ? NOTHING : toScore({ kind: 'tops', spaces: [] }));
}

/** Touch the top of an own tower: add or leave it out among single tops; else score its colour if that can be, or this one stone. */
function top(table: StonesTable, n: number): void {
  const stone = table.view.sides[table.mine!]!.towers[n - 1]!.at(-1)!;
  const { scoring } = table;
  if (scoring?.kind === 'tops') {
    const spaces = scoring.spaces.includes(n) ? scoring.spaces.filter((s) => s !== n) : [...scoring.spaces, n].sort();
    return table.hold(toScore({ kind: 'tops', spaces }));
  }
  const colour = stone.toUpperCase();
  if (scoring?.colour === colour) return table.refuse('take_all', { colour });
  const whole = table.choices!.colours.find((c) => c.colour === colour && !c.refusal);
  table.hold(toScore(whole ? { kind: 'colour', colour } : { kind: 'tops', spaces: [n] }));
}

/** Feed a pointer event to a drag in progress; `place` is what lies under the pointer. Says whether it was no tap. */
export function move(table: StonesTable, event: PointerLike, place: Place | null): boolean {
  const { drag, dropped } = follow(table.drag, event);
  const lost = Boolean(table.drag?.moving && !drag);
  if (drag?.moving && !table.drag?.moving && drag.what.kind === 'artist') {
    if (!table.choices?.spaces.length) table.refuse('board_full');
    else table.hold(picking({ artist: drag.what.n }));
  }
  table.drag = drag;
  table.over = drag?.moving && place?.kind === 'artist' ? place.n : null;
  if (dropped && place && dropped.what.kind === 'artist' && place.kind === 'artist' && table.chosen.artist === dropped.what.n) destination(table, place.n);
  if (dropped && place?.kind === 'space' && dropped.what.kind === 'tower') {
    if (table.chosen.space !== place.n) space(table, place.n);
    // A drop on a place is as deliberate as a confirmation.
    if (table.chosen.space === place.n) table.confirm();
  }
  return lost || dropped !== null;
}
