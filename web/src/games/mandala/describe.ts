// Sentences: what a move would do, what a mandala promises, and who claims first. What has happened is told elsewhere.
import { m, speaks } from '../../lib/i18n';
import type { MandalaChoice, MandalaClaimed, MandalaEffect, MandalaForecast } from '../../lib/wire';
import { COLOURS } from './counts';
import type { Target } from './selection';
import type { View } from './types';
import { list, some } from './words';

type Choice = Pick<MandalaChoice, 'kind' | 'colour' | 'mandala'>;
export type Names = (seat: number) => string;

/** Where the cards of a claim go: "1 to river place 3, 2 to the cup". */
export function claimParts(claim: Pick<MandalaClaimed, 'river_place' | 'cup' | 'discarded'> | MandalaEffect): string {
  const parts: string[] = [];
  if (claim.river_place) parts.push(m.mandala_to_river({ i: claim.river_place }));
  if (claim.cup) parts.push(m.mandala_to_cup({ n: claim.cup }));
  if (claim.discarded) parts.push(m.mandala_to_discard({ n: claim.discarded }));
  return list(parts);
}

/** What an action means for the end of the game: that it comes with it, or may, if somebody claims a sixth colour; empty where it does not. */
export function endInWords({ kind, mandala, colour }: Choice, { completes, river_place, forecast }: MandalaEffect, view: View): string {
  // The words come a moment after the table.
  if (!speaks('mandala_ends')) return '';
  if (river_place === 6 || (completes && view.last_mandala)) return m.mandala_ends();
  const mountain = completes ? view.mandalas[mandala!]!.mountain + (kind === 'build' ? colour : '') : '';
  const sixth = view.sides.some(({ river }, seat) => river.length === 5 && !forecast?.empty[seat] && COLOURS.some((c) => !river.includes(c) && mountain.includes(c)));
  if (sixth) return m.mandala_may_end();
  const row = view.redraws + 1;
  return kind === 'redraw' && row === view.stall_limit ? m.mandala_stall({ n: row, limit: row }) : '';
}

/** What an action would do, as a sentence for the action bar. `end`: what that means for the end of the game, if it is to be told, too. */
export function effectInWords(choice: Choice, effect: MandalaEffect, end = ''): string {
  const cards = some(choice.colour, effect.count);
  const at = { cards, m: (choice.mandala ?? 0) + 1, d: effect.draw ?? 0 };
  const done = effect.completes ? `. ${end || m.mandala_completes()}` : '';
  if (choice.kind === 'build') return (at.d ? m.mandala_do_build : m.mandala_do_build_0)(at) + done;
  if (choice.kind === 'grow') return m.mandala_do_grow(at) + done;
  if (choice.kind === 'redraw') return m.mandala_do_redraw(at) + (end && `. ${end}`);
  const gain = m.mandala_gain({ n: effect.points ?? 0 });
  // Where the cards go is seen on the table, too: the end needs the room.
  return end ? `${end} ${gain}` : `${cards}: ${claimParts(effect)}. ${gain}`;
}

/** The few words on a lit target. */
export function targetInWords(target: Target): string {
  const { effect, place, most } = target;
  if (!effect) return '';
  const d = effect.draw ?? 0;
  if (effect.completes) return m.mandala_go_ends({ d });
  if (place[0] === 'm') return d ? m.mandala_go_build({ d }) : m.mandala_go_build_0();
  if (place[0] === 'f') return most > effect.count ? m.mandala_go_grow_most({ n: effect.count, most }) : m.mandala_go_grow({ n: effect.count });
  if (place === 'd') return m.mandala_go_redraw({ n: effect.count, d });
  return m.mandala_plus({ n: effect.points ?? 0 });
}

/** What a forecast says, and whether it is a warning: that this viewer would lose what they claim. `completer`: the seat that would complete it now; `me`: this viewer's, if any. */
export function forecastInWords(f: MandalaForecast, completer: number, me: number | null, names: Names): { text: string; warn: boolean } {
  const both = f.empty[0] && f.empty[1];
  if (both) return { text: m.mandala_if_empty_both(), warn: me !== null };
  const empty = f.empty[0] ? 0 : f.empty[1] ? 1 : null;
  if (empty !== null) {
    return { text: empty === me ? m.mandala_if_empty_you() : m.mandala_if_empty_other({ who: names(empty) }), warn: empty === me };
  }
  const first = f.first[completer]!;
  const claims = f.claims[completer]!;
  const figures = { a: claims[first]!, b: claims[1 - first]! };
  if (f.tie) {
    if (me === null) return { text: m.mandala_if_tie(), warn: false };
    const other = names(1 - me);
    return { text: first === me ? m.mandala_if_tie_you({ who: other, ...figures }) : m.mandala_if_tie_other({ who: other, ...figures }), warn: false };
  }
  return { text: first === me ? m.mandala_if_you(figures) : m.mandala_if_other({ who: names(first), ...figures }), warn: false };
}

/** What an empty field means while a destroyed mandala is shared out. */
export function fallenInWords(empty: readonly boolean[], me: number | null, names: Names): string {
  const seat = empty[0] ? 0 : 1;
  return seat === me ? m.mandala_fallen_you() : m.mandala_fallen_other({ who: names(seat) });
}

/** Empty fields of a mandala that is far from complete, in few words. */
export function youngInWords(empty: readonly boolean[], me: number | null, names: Names): string {
  if (empty[0] && empty[1]) return m.mandala_young_both();
  const seat = empty[0] ? 0 : 1;
  return seat === me ? m.mandala_young_you() : m.mandala_young_other({ who: names(seat) });
}

/** Who claims first, and by which rule. */
export function completedInWords(event: { first: number | null; tie: boolean }, me: number | null, names: Names): string {
  if (event.first === null) return m.mandala_ev_both_empty();
  if (event.first === me) return event.tie ? m.mandala_ev_tie_you() : m.mandala_ev_first_you();
  return event.tie ? m.mandala_ev_tie({ who: names(event.first) }) : m.mandala_ev_first({ who: names(event.first) });
}
