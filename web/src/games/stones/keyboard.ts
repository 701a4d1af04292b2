// Keyboard: what a key means at the table. Pure lookup.
import { isArrow } from '../steer';

type KeyLike = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** What a key asks for; keys held with a modifier belong to the browser. */
export type Wish =
  | { readonly kind: 'arrow'; readonly key: string }
  | { readonly kind: 'colour'; readonly key: string }
  | { readonly kind: 'space'; readonly n: number }
  | { readonly kind: 'tops' }
  | { readonly kind: 'back' };

/** The wish of a key: arrows walk, Y R B P score a colour, Q single stones, 1..5 mean an own space, Esc takes back; null for any other. */
export function wish(event: KeyLike): Wish | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  if (isArrow(key)) return { kind: 'arrow', key };
  if (/^[YRBP]$/.test(key)) return { kind: 'colour', key };
  if (/^[1-5]$/.test(key)) return { kind: 'space', n: Number(key) };
  return key === 'Q' ? { kind: 'tops' } : key === 'Escape' ? { kind: 'back' } : null;
}
