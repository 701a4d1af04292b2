// Count strings put together and written anew, for the pictures between two views: not needed before the first of them.
import { COLOURS, parse, type Colour, type Counts } from './counts';

/** Write a count string; exact inverse of `parse` for sets that are wholly known or wholly hidden. */
export function format(counts: Counts): string {
  const text = COLOURS.map((c) => (counts.known[c] ? `${c}${counts.known[c]}` : '')).join('');
  return (counts.hidden > 0 ? `${text}?${counts.hidden}` : text) || '-';
}

/**
 * `a` and `b` together, or with sign -1 `a` without `b`, never below nothing. Known cards taken from a hidden set
 * shrink the hidden part: the viewer sees a card leave a hand it cannot see into.
 */
export function add(a: string, b: string, sign: 1 | -1 = 1): string {
  const x = parse(a);
  const y = parse(b);
  const known: Partial<Record<Colour, number>> = { ...x.known };
  let hidden = x.hidden + sign * y.hidden;
  for (const c of COLOURS) {
    const n = (known[c] ?? 0) + sign * (y.known[c] ?? 0);
    if (n < 0) hidden += n;
    known[c] = Math.max(0, n);
  }
  return format({ known, hidden: Math.max(0, hidden) });
}
