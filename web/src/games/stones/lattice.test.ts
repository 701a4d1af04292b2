// The lattice: as the printed grid has it, and inside any board.
import { expect, test } from 'vitest';
import { artistCell, plan, stackCell } from './lattice';

const STACKS = Array.from({ length: 24 }, (_, i) => i + 1);
const SPACES = [1, 2, 3, 4, 5, 6, 7, 8, 9];

test('stacks are the edges of the cells, artist spaces the cells', () => {
  expect(stackCell(1)).toEqual({ row: 0, column: 1 });
  expect(stackCell(4)).toEqual({ row: 1, column: 0 });
  expect(stackCell(13)).toEqual({ row: 3, column: 4 });
  expect(stackCell(24)).toEqual({ row: 6, column: 5 });
  expect(artistCell(5)).toEqual({ row: 3, column: 3 });
  const all = [...STACKS.map(stackCell), ...SPACES.map(artistCell)].map(({ row, column }) => `${row} ${column}`);
  expect(new Set(all).size).toBe(33);
});

test('north, east, south and west of each artist space lie the stacks that the rules name', () => {
  const at = (row: number, column: number) => STACKS.find((s) => stackCell(s).row === row && stackCell(s).column === column);
  const around = (space: number) => {
    const { row, column } = artistCell(space);
    return [at(row - 1, column), at(row, column + 1), at(row + 1, column), at(row, column - 1)];
  };
  expect(around(1)).toEqual([1, 5, 8, 4]);
  expect(around(5)).toEqual([9, 13, 16, 12]);
  expect(around(9)).toEqual([17, 21, 24, 20]);
});

test.each([[348, 330], [348, 260], [560, 600], [980, 400], [760, 760]])('everything stands inside %i × %i, apart from each other', (width, height) => {
  const { u, v, d, x, y } = plan(width, height);
  expect(d).toBeLessThan(u);
  expect(2 * v).toBeGreaterThan(d * 1.05);
  for (const cell of [...STACKS.map(stackCell), ...SPACES.map(artistCell)]) {
    expect(x(cell) - d / 2).toBeGreaterThanOrEqual(0);
    expect(x(cell) + d / 2).toBeLessThanOrEqual(width);
    expect(y(cell) - 0.9 * d).toBeGreaterThanOrEqual(0);
    expect(y(cell) + 0.31 * d).toBeLessThanOrEqual(height);
  }
});

test('on a narrow phone every place is large enough for a finger', () => {
  const { u, v } = plan(348, 332);
  expect(u).toBeGreaterThanOrEqual(44);
  expect(v).toBeGreaterThanOrEqual(44);
});
