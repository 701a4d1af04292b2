// Where things lie: every place of the table that cards leave or reach carries such a name in `data-at`.

/** Names of the anchors from and to which cards travel. */
export const at = {
  hand: (seat: number) => `hand-${seat}`,
  mountain: (mandala: number) => `m-${mandala}`,
  field: (mandala: number, seat: number) => `f-${mandala}-${seat}`,
  river: (seat: number, place: number) => `river-${seat}-${place}`,
  cup: (seat: number) => `cup-${seat}`,
  deck: 'deck',
  discard: 'discard',
};
