// Where things lie: every place of the table that stones and artists leave or reach carries such a name in `data-at`.

/** Names of the anchors: stacks 1..24, artist spaces 1..9, own spaces 1..5 of a seat, places of the mandala from 1, a seat's points. */
export const at = {
  stack: (stack: number) => `s-${stack}`,
  artist: (space: number) => `a-${space}`,
  tower: (seat: number, space: number) => `t-${seat}-${space}`,
  place: (place: number) => `m-${place}`,
  points: (seat: number) => `p-${seat}`,
};
