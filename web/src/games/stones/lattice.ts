// Where everything on the main board stands: seven columns and rows, stacks and artist spaces by turns, and how large they are drawn.
// Lengths in CSS pixels; a point is the middle of a foot.
import { BOX } from './shapes';

export interface Cell {
  readonly column: number;
  readonly row: number;
}

/** Column and row, from 0, of stack 1..24. */
export function stackCell(stack: number): Cell {
  const [band, i] = [Math.floor((stack - 1) / 7), (stack - 1) % 7];
  return i < 3 ? { row: 2 * band, column: 2 * i + 1 } : { row: 2 * band + 1, column: 2 * (i - 3) };
}

/** Column and row of artist space 1..9. */
export const artistCell = (space: number): Cell => ({ row: 2 * Math.floor((space - 1) / 3) + 1, column: 2 * ((space - 1) % 3) + 1 });

export interface Plan {
  /** From one column, and from one row, to the next. */
  readonly u: number;
  readonly v: number;
  /** Width of a stone. */
  readonly d: number;
  readonly x: (cell: Cell) => number;
  readonly y: (cell: Cell) => number;
}

const TALL = BOX.height / BOX.width;
/** What stands behind the middle of a foot, in widths of a stone. */
const BEHIND = -BOX.y / BOX.width;
const EDGE = 6;

/** The plan of a board of this size. Rows may lie closer than columns: the board is seen from in front. */
export function plan(width: number, height: number): Plan {
  const room = Math.max(60, height - 2 * EDGE);
  const most = room / (6 / 0.98 + TALL);
  const u = Math.max(20, Math.min((width - 4) / 7, most * 1.6, 132));
  const d = Math.min(u * 0.86, most);
  const v = Math.min(u, (room - d * TALL) / 6);
  const top = (height - (6 * v + d * TALL)) / 2 + d * BEHIND;
  return { u, v, d, x: ({ column }) => width / 2 + (column - 3) * u, y: ({ row }) => top + row * v };
}
