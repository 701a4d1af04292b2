// The drawn shape of a stone: a disc seen from above and in front, in units of a fiftieth of its width, the middle of its underside at 0 0.
// Everything here is SVG path text; light and colour are the style sheet's.

/** Half the width of a disc, how flat its circles look, and how thick it is. */
export const R = 50;
export const FLAT = 0.62;
export const THICK = 15;
/** What a stack of four needs: from the rim of the topmost disc down to the front of the lowest one. */
export const BOX = { x: -R, y: -(4 * THICK + R * FLAT), width: 2 * R, height: 4 * THICK + 2 * R * FLAT } as const;

const n = (value: number): string => String(+value.toFixed(1));
const at = (x: number, y: number): string => `${n(x)} ${n(y)}`;

/** A point on the visible front of the rim: `angle` in degrees from the middle to the right, `up` from 0 (lower edge) to 1 (upper edge). */
export function onRim(angle: number, up: number): [number, number] {
  const turn = (angle * Math.PI) / 180;
  return [R * Math.sin(turn), R * FLAT * Math.cos(turn) - THICK * up];
}

/** The front of the rim: a band under the upper edge's near half. */
export const WALL = `M${at(-R, -THICK)}A${R} ${n(R * FLAT)} 0 0 0 ${at(R, -THICK)}V0A${R} ${n(R * FLAT)} 0 0 1 ${at(-R, 0)}Z`;

/** The near half of an edge of the rim, as far round as `reach` degrees to each side. */
export const edge = (up: number, reach = 90): string => `M${at(...onRim(-reach, up))}A${R} ${n(R * FLAT)} 0 0 0 ${at(...onRim(reach, up))}`;

/** Angles at equal steps along the rim: marks lie closer towards its sides, as the eye expects. */
const steps = (count: number, reach: number): number[] => Array.from({ length: count }, (_, i) => -reach + (2 * reach * i) / (count - 1));

/** The mark that each colour carries on its rim, so that colours differ in texture too: beads, bars, a groove, waves. */
export const RIMS: Readonly<Record<string, string>> = {
  Y: steps(8, 70).map((a) => `M${at(...onRim(a, 0.5))}h.01`).join(''),
  R: steps(9, 74).map((a) => `M${at(...onRim(a, 0.22))}L${at(...onRim(a, 0.78))}`).join(''),
  B: edge(0.5, 78),
  P: `M${steps(15, 82).map((a, i) => at(...onRim(a, i % 2 ? 0.24 : 0.76))).join('L')}`,
}; // prettier-ignore

/** A point of a circle round the middle, by its part of the whole. */
const turned = (part: number, r: number): string => at(r * Math.sin(2 * Math.PI * part), -r * Math.cos(2 * Math.PI * part));
const round = (count: number, one: (i: number) => string): string => Array.from({ length: count }, (_, i) => one(i)).join('');

/** The same marks round the edge of a disc that is seen from straight above. */
export const EDGES: Readonly<Record<string, string>> = {
  Y: round(14, (i) => `M${turned(i / 14, 43)}h.01`),
  R: round(20, (i) => `M${turned(i / 20, 40)}L${turned(i / 20, 46)}`),
  B: `M${at(-43, 0)}a43 43 0 1 1 86 0a43 43 0 1 1-86 0Z`,
  P: `M${round(40, (i) => `${i ? 'L' : ''}${turned(i / 40, i % 2 ? 40 : 46)}`)}Z`,
};

/** The points of a star, by turns at `far` and `near` from the middle, the first one up. */
export function starPoints(points: number, far: number, near: number): [number, number][] {
  return Array.from({ length: 2 * points }, (_, i) => {
    const r = i % 2 ? near : far;
    const turn = (Math.PI * i) / points;
    return [r * Math.sin(turn), -r * Math.cos(turn)];
  });
}

/** A star as one outline. */
export const star = (points: number, far: number, near: number): string => `M${starPoints(points, far, near).map(([x, y]) => at(x, y)).join('L')}Z`; // prettier-ignore

/** The halves of a cut star's arms that lie in shade. */
export const facets = (points: number, far: number, near: number): string =>
  starPoints(points, far, near)
    .map(([x, y], i, all) => (i % 2 ? '' : `M0 0L${at(x, y)}L${at(...all[(i + 1) % all.length]!)}Z`))
    .join('');

/** A ring: the outer circle one way round, the hole the other. */
export const ring = (far: number, near: number): string =>
  `M${at(-far, 0)}a${far} ${far} 0 1 1 ${2 * far} 0a${far} ${far} 0 1 1 ${-2 * far} 0ZM${at(-near, 0)}a${near} ${near} 0 1 0 ${2 * near} 0a${near} ${near} 0 1 0 ${-2 * near} 0Z`;
