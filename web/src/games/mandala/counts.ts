// Count strings of the wire ("K2Y1", "-", hidden "?7") as small maps of colour to number, and back.

/** Canonical order of the six colours, everywhere. */
export const COLOURS = ['K', 'G', 'P', 'Y', 'O', 'R'] as const;
export type Colour = (typeof COLOURS)[number];

/** Cards of known colours; `hidden` counts those whose colour this viewer may not know. */
export interface Counts {
  readonly known: Readonly<Partial<Record<Colour, number>>>;
  readonly hidden: number;
}

/** Read a count string; text that is not one is an empty set, so a newer server can never break the picture. */
export function parse(text: string): Counts {
  const known: Partial<Record<Colour, number>> = {};
  let hidden = 0;
  for (const [, letter, digits] of text.matchAll(/([KGPYOR?])(\d+)/g)) {
    const n = Number(digits);
    if (letter === '?') hidden += n;
    else known[letter as Colour] = (known[letter as Colour] ?? 0) + n;
  }
  return { known, hidden };
}

/** [colour, number] of the colours that are there, in canonical order. */
export function entries(text: string): [Colour, number][] {
  const { known } = parse(text);
  return COLOURS.filter((c) => known[c]).map((c) => [c, known[c]!]);
}

/** How many cards, hidden ones included. */
export function total(text: string): number {
  const { known, hidden } = parse(text);
  return hidden + COLOURS.reduce((sum, c) => sum + (known[c] ?? 0), 0);
}

/** How many of one colour (hidden ones are of no colour). */
export function of(text: string, colour: string): number {
  return parse(text).known[colour as Colour] ?? 0;
}

/** One letter a card, canonical order, "?" for hidden ones: what a row of cards shows. */
export function cards(text: string): string[] {
  return [...entries(text).flatMap(([c, n]) => Array<string>(n).fill(c)), ...Array<string>(parse(text).hidden).fill('?')];
}
