// Stones as letters, taken apart: a capital is a star, a small letter a circle, a letter in brackets a covered stone of unknown pattern.
import type { Pattern } from './types';

export interface Disc {
  /** `Y R B P`. */
  readonly colour: string;
  readonly pattern: Pattern | null;
}

/** The stones of a stack, tower or spiral, in the order written. */
export function discsOf(text: string): Disc[] {
  return (text.match(/\(.\)|./g) ?? []).map((token) => {
    const letter = token.length > 1 ? token[1]! : token;
    const colour = letter.toUpperCase();
    return { colour, pattern: token.length > 1 ? null : letter === colour ? 'star' : 'circle' };
  });
}
