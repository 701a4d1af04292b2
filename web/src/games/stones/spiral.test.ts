// The spiral: equal steps, no two places touch, the centre first.
import { expect, test } from 'vitest';
import { arm, places, reach, used } from './spiral';

test('place 1 is the centre and each further one lies a step from the one before', () => {
  const all = places(80);
  expect(all).toHaveLength(80);
  expect(all[0]).toEqual({ x: 0, y: 0 });
  for (let i = 1; i < 80; i++) expect(Math.hypot(all[i]!.x - all[i - 1]!.x, all[i]!.y - all[i - 1]!.y)).toBeCloseTo(1, 3);
});

test('no two places overlap and all lie within reach', () => {
  const all = places(80);
  const far = reach(80);
  all.forEach((a, i) => {
    expect(Math.hypot(a.x, a.y)).toBeLessThanOrEqual(far - 0.5 + 1e-9);
    for (const b of all.slice(i + 1)) expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(0.9);
  });
});

test('a shorter spiral is the beginning of a longer one', () => {
  expect(places(80).slice(0, 49)).toEqual(places(49));
  expect(places(1)).toEqual([{ x: 0, y: 0 }]);
  expect(arm(49).startsWith('M0.00 0.00')).toBe(true);
});

test('only places that a game can reach are drawn', () => {
  expect(used(80, 40, 2)).toBe(49);
  expect(used(80, 56, 4)).toBe(75);
  expect(used(60, 56, 4)).toBe(60);
});
