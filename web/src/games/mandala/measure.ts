// How large everything in one mandala is drawn, so that nothing touches anything else: band, cards and the petals that make room for them.
// Lengths in CSS pixels, origin in the middle of the mandala.
import { petalSize } from './art';
import { entries } from './counts';

/** A row of cards: edge of a card, distance of the row from the band, half its width, and how far from the middle it reaches. */
export interface Row {
  readonly c: number;
  readonly off: number;
  readonly half: number;
  readonly far: number;
}

export interface Plan {
  /** Height of the drawing, and the horizontal axis of its ellipse. */
  readonly tall: number;
  readonly disc: number;
  readonly band: number;
  readonly mountain: number;
  readonly fields: readonly [Row, Row];
}

/** How many cards of a stack are seen, where there are so many stacks. */
export const seen = (stacks: number): number => (stacks > 3 ? 2 : 3);

/** Width of a row of stacks in card edges: each stack, its lapped cards, the gaps and the number on the last one. */
export function units(cards: string): number {
  const stacks = entries(cards);
  return stacks.reduce((sum, [, n]) => sum + 1.17 + (Math.min(seen(stacks.length), n) - 1) * 0.26, 0);
}

/** The plan for a board of this size; `fields` from above to below, `claiming`: the mountain's stacks have a frame each. */
export function plan(width: number, height: number, mountain: string, fields: readonly [string, string], claiming: boolean): Plan {
  // A circle where there is room for one, a standing oval on a tall screen, else a wide ellipse.
  const tall = Math.min(height, width * 1.3);
  const disc = width > tall * 1.5 ? width - 14 : Math.min(width - 14, tall);
  const band = Math.max(44, Math.round(tall * 0.3));
  const most = Math.min(Math.max(band * 0.67, Math.min(band - 15, 44)), 96);
  const frames = claiming ? entries(mountain).length * 7 : 0;
  const c = Math.min(most, (width * 0.87 - frames) / Math.max(1, units(mountain)));
  const a = disc / 2 - 3;
  const b = tall / 2 - 3;
  const petal = petalSize(b);
  const depth = (tall - band) / 2;
  // The numbers on the cards reach over their edges: that much stays free.
  // Where there is hardly any height they overlap the band's edge and the petals, rather than become too small to be read.
  const near = Math.max(-2, Math.min(depth - 33, Math.max(5, Math.min(14, depth * 0.12))));
  const free = depth - near - petal - 6;
  const full = Math.min(most * 0.96, Math.max(free, Math.min(30, depth - near - 3)));

  function row(cards: string): Row {
    const wide = units(cards);
    const at = (c: number): Row => {
      const off = near + Math.max(0, free - c) * 0.42;
      return { c, off, half: (wide * c) / 2, far: band / 2 + off + c };
    };
    // Smaller cards where a long row would reach the rim; from nine tenths on the petals make room instead.
    let found = at(Math.min(full, (disc * 0.8) / Math.max(1, wide)));
    const least = found.c * (free < 30 ? 1 : 0.9);
    while (found.c > least && (found.half / (a - petal - 4)) ** 2 + (found.far / (b - petal - 4)) ** 2 > 1) found = at(found.c - 1);
    return found;
  }
  return { tall, disc, band, mountain: c, fields: [row(fields[0]), row(fields[1])] };
}
