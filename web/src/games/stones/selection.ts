// What the player has chosen so far, and what the server's choices say about it. Pure: no rule is decided here, every answer
// is looked up in `View.choices`, so a choice that has gone meanwhile can never be acted upon.
import { pickAction, read, topsAction } from './notation';
import type { StonesChoices, StonesPick, StonesRefusal } from './types';

/** A pick as far as it is chosen: the artist's space, its destination, the stack of the first stone, the own space. */
export interface Chosen {
  readonly artist: number | null;
  readonly to: number | null;
  readonly first: number | null;
  readonly space: number | null;
}

/** A way to score, as far as it is chosen. */
export type Scoring = { readonly kind: 'colour'; readonly colour: string } | { readonly kind: 'tops'; readonly spaces: readonly number[] };

export interface Selection {
  readonly chosen: Chosen;
  readonly scoring: Scoring | null;
}

/** What bringing the chosen artist to a vacant space would mean. */
export interface Destination {
  readonly to: number;
  /** The stones gained, clockwise from the north: "Yb". */
  readonly gained: string;
  readonly refusal: StonesRefusal | null;
}

export const NOBODY: Chosen = { artist: null, to: null, first: null, space: null };
export const NOTHING: Selection = { chosen: NOBODY, scoring: null };

/** Choose part of a pick; whatever was chosen to score is let go. */
export const picking = (chosen: Partial<Chosen>): Selection => ({ chosen: { ...NOBODY, ...chosen }, scoring: null });
/** Choose a way to score; whatever was chosen of a pick is let go. */
export const toScore = (scoring: Scoring | null): Selection => ({ chosen: NOBODY, scoring });

/** The pick of one artist to one space. */
export const pickOf = (choices: StonesChoices | null, artist: number | null, to: number | null): StonesPick | undefined =>
  choices?.picks.find((pick) => pick.artist === artist && pick.to === to);

/** Every vacant space for one artist, with what it would gain there. */
export function destinations(choices: StonesChoices | null, artist: number | null): Destination[] {
  const picks = choices?.picks.filter((pick) => pick.artist === artist) ?? [];
  return picks.map(({ to, yields, refusal }) => ({ to, refusal, gained: yields.map((y) => (y.refusal ? '' : y.stone)).join('') }));
}

/** The tower that follows from what is chosen; empty while the first stone is open. */
export function towerOf(choices: StonesChoices | null, chosen: Chosen): string {
  return pickOf(choices, chosen.artist, chosen.to)?.firsts.find((first) => first.stack === chosen.first)?.tower ?? '';
}

/** What follows by itself: a single first stone, a single empty space. */
export function settled(choices: StonesChoices | null, chosen: Chosen): Chosen {
  const firsts = pickOf(choices, chosen.artist, chosen.to)?.firsts ?? [];
  const first = chosen.first ?? (firsts.length === 1 ? firsts[0]!.stack : null);
  const spaces = choices?.spaces ?? [];
  return { ...chosen, first, space: chosen.space ?? (first !== null && spaces.length === 1 ? spaces[0]! : null) };
}

/** The action chosen, if it is whole and legal now. */
export function actionOf(choices: StonesChoices | null, legal: readonly string[], { chosen, scoring }: Selection): string | null {
  let action: string | null = null;
  if (scoring?.kind === 'colour') action = choices?.colours.find((c) => c.colour === scoring.colour)?.action ?? null;
  else if (scoring) action = topsAction(scoring.spaces);
  else if (chosen.artist && chosen.to && chosen.first && chosen.space) action = pickAction(chosen.artist, chosen.to, chosen.first, chosen.space);
  return action !== null && legal.includes(action) ? action : null;
}

/** The selection as far as it still makes sense with these choices; whatever has gone is let go. */
export function checked(choices: StonesChoices | null, held: Selection): Selection {
  if (!choices) return NOTHING;
  const { chosen, scoring } = held;
  if (scoring) {
    if (scoring.kind === 'colour') return choices.colours.some((c) => c.colour === scoring.colour && !c.refusal) ? held : NOTHING;
    return scoring.spaces.length <= choices.tops.length ? held : NOTHING;
  }
  if (!choices.picks.some((pick) => pick.artist === chosen.artist)) return NOTHING;
  const pick = pickOf(choices, chosen.artist, chosen.to);
  if (!pick || pick.refusal) return chosen.to === null ? held : picking({ artist: chosen.artist });
  if (!pick.firsts.some((first) => first.stack === chosen.first)) return picking({ artist: chosen.artist, to: chosen.to });
  return chosen.space === null || choices.spaces.includes(chosen.space) ? held : picking({ ...chosen, space: null });
}

/** What an action chooses (a move that was sent and has no answer yet stays visible on the table). */
export function selectionOf(action: string): Selection {
  const said = read(action);
  return said?.kind === 'pick' ? picking({ artist: said.artist, to: said.to, first: said.first, space: said.space }) : toScore(said);
}
