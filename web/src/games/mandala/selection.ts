// What the player holds and points at, and what the server's choices say about it. Pure: no rule is decided here,
// every answer is looked up in `View.choices`, so a choice that has gone meanwhile can never be acted upon.
import type { MandalaChoice as Choice, MandalaEffect as Effect, MandalaRefusal as Refusal } from '../../lib/wire';

/** Cards held (one colour; `picks` says which of the cards of that colour, from 0) and the place pointed at. */
export interface Selection {
  readonly colour: string | null;
  readonly picks: readonly number[];
  readonly place: Place | null;
}

/** Where a colour can be brought: mountain m0/m1, own field f0/f1, the discard pile d, or (claims) the claimed colour c. */
export const PLACES = ['m0', 'm1', 'f0', 'f1', 'd'] as const;
export type Place = (typeof PLACES)[number] | 'c';

export const NOTHING: Selection = { colour: null, picks: [], place: null };

/** What touching a place would mean now. */
export interface Target {
  readonly place: Place;
  readonly effect: Effect | null;
  /** Largest number of cards of this colour that may go there. */
  readonly most: number;
  readonly refusal: Refusal | null;
}

const KIND: Record<Choice['kind'], string> = { build: 'm', grow: 'f', redraw: 'd', claim: 'c' };

/** The place of a choice, as the table names its places. */
export function placeOf(choice: Choice): Place {
  return (KIND[choice.kind] + (choice.kind === 'build' || choice.kind === 'grow' ? choice.mandala : '')) as Place;
}

/** Every place for one colour with the effect of bringing `count` cards there: that many if legal, else the nearest fewer. */
export function targets(choices: readonly Choice[], colour: string | null, count: number): Map<Place, Target> {
  const found = new Map<Place, Target>();
  for (const choice of choices) {
    if (choice.colour !== colour) continue;
    const fits = choice.effects.filter((e) => e.count <= Math.max(1, count) || choice.kind === 'claim');
    const effect = fits.at(-1) ?? null;
    const refusal = effect ? null : (choice.refusal ?? { code: 'must_keep_card', params: {} });
    found.set(placeOf(choice), { place: placeOf(choice), effect, most: choice.effects.at(-1)?.count ?? 0, refusal });
  }
  return found;
}

/** Tap a card: another colour starts afresh with that card, a lifted card goes back, an unlifted one is added. */
export function tapCard(held: Selection, colour: string, i: number): Selection {
  if (held.colour !== colour) return { colour, picks: [i], place: null };
  const picks = held.picks.includes(i) ? held.picks.filter((j) => j !== i) : [...held.picks, i];
  return picks.length ? { ...held, picks } : NOTHING;
}

/** The same colour with another number of cards; none left puts everything down. */
export function withCount(held: Selection, count: number): Selection {
  if (count < 1) return NOTHING;
  const picks = held.picks.slice(0, count);
  for (let i = 0; picks.length < count; i++) if (!picks.includes(i)) picks.push(i);
  return { ...held, picks };
}

/** Esc: first lets go of the place, then of the cards. */
export function back(held: Selection): Selection {
  return held.place ? { ...held, place: null } : NOTHING;
}

/** The selection as far as it still makes sense with these choices; anything that has gone is put down. */
export function checked(held: Selection, choices: readonly Choice[], inHand: (colour: string) => number): Selection {
  if (!held.colour || !choices.some((c) => c.colour === held.colour)) return NOTHING;
  const n = choices[0]?.kind === 'claim' ? 1 : inHand(held.colour);
  const picks = held.picks.filter((i) => i < n);
  if (!picks.length) return NOTHING;
  const now = { ...held, picks };
  return now.place && !chosen(now, choices) ? { ...now, place: null } : now;
}

/** The choice that is held and pointed at. */
export const choiceAt = (held: Selection, choices: readonly Choice[], place = held.place): Choice | undefined =>
  choices.find((c) => c.colour === held.colour && placeOf(c) === place);

/** The effect of what is held and pointed at, if it is legal now. */
export function chosen(held: Selection, choices: readonly Choice[]): Effect | null {
  return held.place ? (targets(choices, held.colour, held.picks.length).get(held.place)?.effect ?? null) : null;
}

/** Which choice an action belongs to (a move that was sent and has no answer yet stays visible on the table). */
export function selectionOf(action: string | undefined, choices: readonly Choice[]): Selection {
  for (const choice of choices)
    for (const effect of choice.effects)
      if (effect.action === action) {
        return withCount({ colour: choice.colour, picks: [], place: placeOf(choice) }, choice.kind === 'claim' ? 1 : effect.count);
      }
  return NOTHING;
}
