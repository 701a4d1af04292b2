// The drawn stone: every colour has a mark of its own on rim and edge, everything stays on the stone.
import { expect, test } from 'vitest';
import { BOX, EDGES, FLAT, R, RIMS, THICK, edge, facets, onRim, starPoints } from './shapes';
import { SYMBOLS } from './symbols';

const numbers = (path: string) => [...path.replace(/A[\d.]+ [\d.]+ 0 0 \d /g, 'L').matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const);

test('the four colours differ in their marks, not only in colour', () => {
  for (const marks of [RIMS, EDGES]) {
    expect(Object.keys(marks).sort()).toEqual(['B', 'P', 'R', 'Y']);
    expect(new Set(Object.values(marks)).size).toBe(4);
  }
});

test('marks lie on the visible front of the rim', () => {
  for (const path of Object.values(RIMS)) {
    for (const [x, y] of numbers(path)) {
      const front = R * FLAT * Math.sqrt(1 - (x / R) ** 2);
      expect(y).toBeLessThanOrEqual(front + 0.1);
      expect(y).toBeGreaterThanOrEqual(front - THICK - 0.1);
    }
  }
});

test('edges end where the rim turns away', () => {
  expect(numbers(edge(0))).toEqual([[-R, 0], [R, 0]]);
  expect(onRim(0, 1)[1]).toBeCloseTo(R * FLAT - THICK);
});

test('a star has as many arms as asked for, half of each in shade', () => {
  const points = starPoints(6, 40, 15);
  expect(points).toHaveLength(12);
  expect(points.filter(([x, y]) => Math.hypot(x, y) > 39)).toHaveLength(6);
  expect(facets(6, 40, 15).match(/Z/g)).toHaveLength(6);
});

test('four discs fit into the box of a stack', () => {
  expect(BOX.height).toBeCloseTo(4 * THICK + 2 * R * FLAT);
  expect(BOX.y + BOX.height).toBeCloseTo(R * FLAT);
});

test('every piece that pictures use is there once', () => {
  const ids = [...SYMBOLS.matchAll(/ id="([\w-]+)"/g)].map(([, id]) => id!);
  expect(new Set(ids).size).toBe(ids.length);
  for (const c of 'YRBP') for (const kind of ['w', 'e']) expect(ids).toContain(`st-${kind}${c}`);
  for (const id of ['st-star', 'st-circle', 'st-plain', 'st-fstar', 'st-fcircle', 'st-fplain', 'st-astar', 'st-acircle', 'st-shadow']) expect(ids).toContain(id);
});
