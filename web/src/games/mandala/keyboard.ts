// Keyboard: what a letter means at the table. Pure lookup.
import { withCount, type Selection } from './selection';

/** The colour a letter key stands for ("y" -> "Y"), or null; keys held with a modifier belong to the browser. */
export function colourKey(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): string | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const key = event.key.toUpperCase();
  return key.length === 1 && 'KGPYOR'.includes(key) ? key : null;
}

/** Press a colour's letter: one card more each time, after the last one none. */
export function pressColour(held: Selection, colour: string, inHand: number): Selection {
  if (inHand < 1) return held;
  if (held.colour !== colour) return { colour, picks: [0], place: null };
  return withCount(held, held.picks.length >= inHand ? 0 : held.picks.length + 1);
}
