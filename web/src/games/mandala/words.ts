// Codes of the wire turned into words of the language shown: colours, sets of cards, names, places.
import { locale, m } from '../../lib/i18n';
import { entries, parse } from './counts';

/** Joins parts as the language does: "a, b". */
export const list = (parts: string[]): string => new Intl.ListFormat(locale, { type: 'unit', style: 'short' }).format(parts);

/** A colour's name: "red". */
export function colourName(colour: string): string {
  const names: Record<string, () => string> = {
    K: m.mandala_k, G: m.mandala_g, P: m.mandala_p, Y: m.mandala_y, O: m.mandala_o, R: m.mandala_r,
  }; // prettier-ignore
  return names[colour]?.() ?? colour;
}

/** Some cards of a colour: "2 red"; "?" are cards whose colour is unknown. */
export function some(colour: string, n: number): string {
  const names: Record<string, (i: { n: number }) => string> = {
    K: m.mandala_n_k, G: m.mandala_n_g, P: m.mandala_n_p, Y: m.mandala_n_y, O: m.mandala_n_o, R: m.mandala_n_r,
  }; // prettier-ignore
  return (names[colour] ?? m.mandala_n_cards)({ n });
}

/** A count string in words: "2 black, 1 red", "3 cards", "empty". */
export function cardsInWords(text: string): string {
  const parts = entries(text).map(([c, n]) => some(c, n));
  const { hidden } = parse(text);
  if (hidden) parts.push(m.mandala_n_cards({ n: hidden }));
  return parts.length ? list(parts) : m.mandala_empty();
}
