// Sizes on a board: no row of cards leaves its place, whatever lies there and whatever the screen.
import { describe, expect, it } from 'vitest';
import { petalSize } from './art';
import { plan, units } from './measure';

const SCREENS: readonly (readonly [number, number])[] = [[348, 186], [378, 235], [308, 120], [360, 135], [366, 510], [470, 470], [620, 640]]; // prettier-ignore
const FIVE = 'K2G2P2Y2O2';

describe('plan', () => {
  it('keeps five stacks of two inside the mountain, away from its ends', () => {
    for (const [width, height] of SCREENS) {
      for (const claiming of [false, true]) {
        const { mountain } = plan(width, height, FIVE, ['-', '-'], claiming);
        expect(units(FIVE) * mountain + (claiming ? 35 : 0)).toBeLessThanOrEqual(width * 0.88);
      }
    }
  });

  it('keeps a field’s cards between band and edge, clear of the label', () => {
    for (const [width, height] of SCREENS) {
      for (const cards of ['K1', 'G4O3', 'K1G2P3Y1']) {
        const { tall, band, fields } = plan(width, height, FIVE, [cards, '-'], false);
        expect(fields[0].off).toBeGreaterThanOrEqual(5);
        expect(fields[0].far).toBeLessThanOrEqual(tall / 2);
        expect(fields[0].far).toBeCloseTo(band / 2 + fields[0].off + fields[0].c);
      }
    }
  });

  it('leaves the rim free where there is room', () => {
    for (const [width, height] of [[366, 510], [470, 470], [620, 640]] as const) {
      const { tall, fields } = plan(width, height, 'K1', ['K3', '-'], false);
      expect(fields[0].far).toBeLessThan(tall / 2 - petalSize(tall / 2 - 3));
    }
  });

  it('draws a circle where one fits, else a wide ellipse', () => {
    expect(plan(600, 500, '-', ['-', '-'], false)).toMatchObject({ tall: 500, disc: 500 });
    expect(plan(348, 186, '-', ['-', '-'], false)).toMatchObject({ tall: 186, disc: 334 });
  });
});
