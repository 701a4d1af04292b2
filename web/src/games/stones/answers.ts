// What is chosen and asked next, answers to what was touched, and what objectives count: with its messages fetched as soon as the table stands, which needs neither at first.
import { m } from '../../lib/i18n';
import type { Refused } from '../../lib/wire';
import type { Gain } from './describe';
import { rulesetOf, type Ruleset, type SpaceRule } from './ruleset';
import type { StonesTable } from './table.svelte';
import type { StonesPick } from './types';
import { colourName, list, ruleInWords, towerInWords } from './words';

/** What is chosen so far, and what comes next: of a pick step by step, or what a way to score would pay. */
export const choosing = (table: StonesTable): string => (table.scoring ? scoring(table) : picking(table));

function picking({ chosen: { artist, to, first, space }, view, tower }: StonesTable): string {
  if (to === null) return (view.artists.find((a) => a.space === artist)?.pattern === 'star' ? m.stones_where_star : m.stones_where_circle)();
  if (first === null) return m.stones_which_first();
  const words = towerInWords(tower);
  return space === null ? m.stones_which_space({ tower: words }) : m.stones_do_pick({ tower: words, i: space });
}

function scoring({ gain, scoring }: StonesTable): string {
  if (!gain || !scoring) return m.stones_which_tops();
  const what = scoring.kind === 'colour' ? m.stones_do_colour({ colour: colourName(scoring.colour) }) : m.stones_do_tops({ n: gain.stones.length });
  const sum = gain.stones.length + gain.bonuses.length > 1 ? ` (${sumInWords(gain)})` : '';
  return `${what} · ${m.stones_points({ n: gain.points })}${sum}${gain.ends ? `. ${m.stones_ends()}` : ''}`;
}

/** A sum in few words, for eyes that see the towers: "3 + 4, Mandala +1". */
export const sumInWords = ({ stones, bonuses }: Gain): string =>
  list([stones.map(({ points }) => points).join('\u00a0+\u00a0'), ...bonuses.map(({ points }) => `${m.stones_mandala()} ${m.stones_plus({ n: points })}`)]);

/** What an own empty space would pay for the top stone of the tower that is about to come, by space; none before it is known which stones that has. */
export function worth({ chosen, yields, mine, view, session }: StonesTable): Readonly<Record<number, number>> {
  const stones = chosen.to === null ? [] : yields.filter(({ refusal }) => !refusal).map(({ stone }) => stone.toUpperCase());
  if (!stones.length || mine === null) return {};
  const { towers, heights } = view.sides[mine]!;
  const grown = towers.some((tower) => tower.length === stones.length) ? 0 : 1;
  const last = towers.filter((tower) => !tower).length === 1;
  const pays = (rule: SpaceRule): number => {
    if (rule.rule === 'height_table') return rule.points[stones.length - 1] ?? 0;
    if (rule.rule === 'distinct_colours') return rule.each * new Set(stones).size;
    // Empty spaces may be a height of their own, as long as there is one.
    return rule.each * (heights + grown - (rule.count_empty_as_height && last ? 1 : 0));
  };
  return Object.fromEntries((rulesetOf(session.options)?.spaces ?? []).flatMap((rule, i) => (towers[i] ? [] : [[i + 1, pays(rule)]])));
}

/** Why something cannot be: by the code of the rule, or by what is still to be chosen. */
export function why(code: string, params: Record<string, string | number> = {}): string {
  const texts: Record<string, () => string> = {
    choose_artist: m.stones_no_choose_artist,
    choose_space: m.stones_no_choose_space,
    choose_first: m.stones_no_choose_first,
    take_all: () => m.stones_no_all({ colour: colourName(String(params['colour'])) }),
    no_decline: m.stones_no_decline,
    no_artist: m.stones_no_choose_artist,
    must_move: m.stones_no_move,
    space_occupied: m.stones_no_occupied,
    not_beside: m.stones_no_beside,
    empty_stack: m.stones_no_empty,
    wrong_pattern: m.stones_no_pattern,
    blocked: () => m.stones_no_blocked({ a: number(params['artist']) }),
    board_full: m.stones_no_full,
    space_taken: m.stones_no_taken,
    no_tower: m.stones_no_tower,
    too_few_towers: () => m.stones_no_few({ towers: params['towers'] ?? 2 }),
    must_skip: m.stones_no_skip,
    no_pass: m.stones_no_pass,
    game_over: m.stones_no_game_over,
    not_your_turn: m.stones_no_turn,
    stale: m.stones_no_stale,
    paused: m.paused_line,
  };
  return (texts[code] ?? m.stones_no_sent)();
}

/** A space as the server names it, `A6` or 6, without its letter. */
const number = (space: string | number | undefined): string => String(space ?? '').replace(/\D/g, '');

/** Why a destination is no pick: what keeps each stack beside it back. */
export function whyNot(pick: StonesPick): string {
  if (pick.refusal?.code !== 'nothing_gained') return why(pick.refusal?.code ?? '', pick.refusal?.params);
  const count = (kind: string) => pick.yields.filter((y) => y.refusal === kind).length;
  const parts: string[] = [];
  if (count('pattern')) parts.push(m.stones_why_pattern({ n: count('pattern') }));
  for (const a of new Set(pick.yields.flatMap((y) => (y.refusal === 'blocked' && y.blocker ? [y.blocker] : [])))) {
    parts.push(m.stones_why_blocked({ n: pick.yields.filter((y) => y.blocker === a).length, a }));
  }
  if (count('empty')) parts.push(m.stones_why_empty({ n: count('empty') }));
  return m.stones_no_gain({ a: pick.to, why: list(parts) });
}

/** How an own space pays: the answer to a touch that can mean nothing else. */
export const howItPays = (space: number, ruleset: Ruleset | null): string => m.stones_how_it_pays({ i: space, rule: ruleInWords(ruleset?.spaces[space - 1]) });

/** A refused command in words; for an illegal action the rule that forbids it. */
export const refusedInWords = (refused: Refused): string => why((refused.code === 'illegal' && refused.rule) || refused.code, refused.params);

/** What an objective counts, from the table's ruleset; one that is not in it keeps its id. */
export function objectiveInWords(id: string, ruleset: Ruleset | null): string {
  const card = ruleset?.objectives.cards.find((known) => known.id === id);
  if (!card) return id;
  const n = card.each;
  switch (card.count) {
    case 'stones_of_colour':
      return m.stones_obj_colour({ n, colour: colourName(card.of?.[0] ?? '') });
    case 'stones_of_pattern':
      return card.of === 'star' ? m.stones_obj_star({ n }) : m.stones_obj_circle({ n });
    case 'empty_spaces':
      return m.stones_obj_empty({ n });
    case 'distinct_heights':
      return m.stones_obj_heights({ n });
    case 'distinct_top_colours':
      return m.stones_obj_tops({ n });
    default:
      return m.stones_obj_tallest({ n });
  }
}
