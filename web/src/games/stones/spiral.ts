// The spiral of the shared mandala: place 1 in the centre, then outwards in equal steps along one arm. Lengths in distances between
// neighbouring arms, origin in the centre.

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The arm leaves the centre at one distance and gains one with every turn. */
const radius = (turn: number): number => 1 + turn / (2 * Math.PI);
const START = -Math.PI / 2;
const on = (turn: number): Point => ({ x: radius(turn) * Math.cos(START + turn), y: radius(turn) * Math.sin(START + turn) });

/** The turns at which places 2, 3, … lie, each one distance from the one before. */
function turns(count: number): number[] {
  const found: number[] = [];
  for (let turn = 0; found.length < count; ) {
    found.push(turn);
    const from = on(turn);
    let [low, high] = [turn, turn + 1.2];
    for (let i = 0; i < 40; i++) {
      const middle = (low + high) / 2;
      const to = on(middle);
      if (Math.hypot(to.x - from.x, to.y - from.y) < 1) low = middle;
      else high = middle;
    }
    turn = high;
  }
  return found;
}

/** Middles of places 1..`count`. */
export const places = (count: number): Point[] => [{ x: 0, y: 0 }, ...turns(count - 1).map(on)].slice(0, count);

/** How far a spiral of `count` places reaches from the centre, its stones included. */
export const reach = (count: number): number => Math.max(...places(count).map(({ x, y }) => Math.hypot(x, y))) + 0.5;

/** The arm as one line from the centre to the last place, for drawing. */
export function arm(count: number): string {
  const last = turns(Math.max(1, count - 1)).at(-1)!;
  // The first turn comes out of the centre; from there the line is the arm itself.
  const points: Point[] = [];
  for (let turn = -Math.PI; turn < last + 0.2; turn += 0.2) {
    const r = turn < 0 ? 1 + turn / Math.PI : radius(turn);
    points.push({ x: r * Math.cos(START + turn), y: r * Math.sin(START + turn) });
  }
  return `M${points.map(({ x, y }) => `${x.toFixed(2)} ${y.toFixed(2)}`).join('L')}`;
}

/**
 * How many places can ever be covered in a game that ends with `end`: the stone before it lies, then a whole action and,
 * as the round is finished, one of every other player, each of five stones at most; never more than there are.
 */
export const used = (spaces: number, end: number, seats: number): number => Math.min(spaces, end - 1 + 5 * seats);
