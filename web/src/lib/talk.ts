// What is said at a table: the ready phrases in the reader's language, what is still unread, and at which tables nothing is to be heard.
import { m } from './i18n';
import type { Say, Step } from './wire';

export type Phrase = NonNullable<Say['phrase']>;

const PHRASES: Record<Phrase, () => string> = {
  hello: () => m.phrase_hello(),
  good_luck: () => m.phrase_good_luck(),
  your_turn: () => m.phrase_your_turn(),
  thinking: () => m.phrase_thinking(),
  one_moment: () => m.phrase_one_moment(),
  back: () => m.phrase_back(),
  nice_move: () => m.phrase_nice_move(),
  oops: () => m.phrase_oops(),
  sorry: () => m.phrase_sorry(),
  thanks: () => m.phrase_thanks(),
  good_game: () => m.phrase_good_game(),
  well_played: () => m.phrase_well_played(),
  again: () => m.phrase_again(),
  bye: () => m.phrase_bye(),
};

/** The phrases that make sense before and during a game, and after it; in the order in which they are offered. */
export const DURING: readonly Phrase[] = ['hello', 'good_luck', 'nice_move', 'thinking', 'one_moment', 'back', 'your_turn', 'oops', 'sorry', 'thanks'];
export const AFTERWARDS: readonly Phrase[] = ['good_game', 'well_played', 'thanks', 'again', 'bye', 'nice_move', 'hello', 'one_moment', 'sorry'];

/** A phrase in the language shown; one that this client does not know stays a code. */
export const phraseText = (phrase: string): string => PHRASES[phrase as Phrase]?.() ?? phrase;

/** What was said, in words: empty for who only watches. */
export const saidText = (step: Step): string => step.text ?? (step.phrase ? phraseText(step.phrase) : '');

/** What was said at a table, oldest first. */
export const talk = (log: readonly Step[]): Step[] => log.filter(({ kind }) => kind === 'said');

/** How many of them others have said since version `read`. */
export const unread = (log: readonly Step[], read: number, you: number | null): number => log.filter(({ kind, v, seat }) => kind === 'said' && v > read && seat !== you).length;

/** What this browser remembers of a table's talk. */
export interface Memory {
  /** Version up to which it was read. */
  read: number;
  muted: boolean;
}

const KEY = 'sandriver.talk';
/** So many tables are remembered. */
const MOST = 60;

function all(): Record<string, Memory> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof stored === 'object' && stored !== null ? (stored as Record<string, Memory>) : {};
  } catch {
    return {};
  }
}

/** What is remembered of a table; nothing read, not muted, where that is nothing. */
export function recall(table: string): Memory {
  const { read, muted } = all()[table] ?? {};
  return { read: typeof read === 'number' ? read : 0, muted: muted === true };
}

/** Remember it, and forget the tables that were not talked at for the longest time. */
export function remember(table: string, memory: Memory): void {
  const { [table]: _, ...others } = all();
  const kept = [...Object.entries(others).slice(1 - MOST), [table, memory]];
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // Without storage it lasts as long as the page.
  }
}
