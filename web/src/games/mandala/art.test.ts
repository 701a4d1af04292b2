// The ornament: petals at equal steps on the true ellipse, one for each colour in turn.
import { describe, expect, it } from 'vitest';
import { petals, ring } from './art';

describe('ornament', () => {
  it('lays petals at equal steps on the ellipse', () => {
    const found = ring(170, 80, 54);
    expect(found).toHaveLength(54);
    const steps = found.map((p, i) => Math.hypot(p.x - found[(i + 1) % 54]!.x, p.y - found[(i + 1) % 54]!.y));
    expect(Math.max(...steps) - Math.min(...steps)).toBeLessThan(1);
    for (const p of found) expect((p.x / 170) ** 2 + (p.y / 80) ** 2).toBeCloseTo(1, 1);
  });
  it('has as many petals for each colour', () => {
    for (const [a, b] of [[170, 80], [180, 180], [20, 20]] as const) expect(petals(a, b, 15) % 6).toBe(0);
  });
});
