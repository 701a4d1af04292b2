// Sums: what a way to score would pay, as the choices say it, and in words. What has happened is told elsewhere.
import { m } from '../../lib/i18n';
import type { Scoring } from './selection';
import type { StonesChoices } from './types';
import { list } from './words';

export type Names = (seat: number) => string;

/** What a way to score would pay: each stone, each place of the mandala, and the sum. `spaces` are the own spaces scored. */
export interface Gain {
  readonly stones: readonly { space: number; points: number }[];
  readonly bonuses: readonly { place: number; points: number }[];
  readonly points: number;
  readonly ends: boolean;
}

/** The gain of what is chosen to score, as the choices say it; null for nothing. */
export function gainOf(choices: StonesChoices | null, scoring: Scoring | null): Gain | null {
  if (scoring?.kind === 'colour') return choices?.colours.find((c) => c.colour === scoring.colour) ?? null;
  const tops = choices?.tops.find((t) => t.count === scoring?.spaces.length);
  if (!tops || scoring?.kind !== 'tops') return null;
  return { ...tops, stones: scoring.spaces.map((space) => ({ space, points: tops.stones / tops.count })) };
}

/** The parts of a sum: "space 1: 3, space 3: 4, mandala place 20: +1". */
export function partsInWords(gain: Gain): string {
  const stones = gain.stones.map(({ space, points }) => m.stones_at_space({ i: space, n: points }));
  const bonuses = gain.bonuses.map(({ place, points }) => m.stones_at_mandala({ i: place, n: points }));
  return list([...stones, ...bonuses]);
}
