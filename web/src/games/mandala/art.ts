// The ornament of a mandala, drawn by rule: petals at equal steps along the true ellipse, so that they keep their shape
// whatever the table's proportions; and the mountain's band of raked sand. Lengths in CSS pixels, origin in the centre.

export interface Petal {
  readonly x: number;
  readonly y: number;
  /** Degrees, 0 pointing up: outwards along the normal. */
  readonly turn: number;
}

/** `n` points at equal arc lengths along the ellipse with half axes `a`, `b`, starting on top, clockwise. */
export function ring(a: number, b: number, n: number): Petal[] {
  const steps = 720;
  const along: number[] = [0];
  const point = (t: number): [number, number] => [a * Math.sin(t), -b * Math.cos(t)];
  for (let i = 1; i <= steps; i++) {
    const [x0, y0] = point((2 * Math.PI * (i - 1)) / steps);
    const [x1, y1] = point((2 * Math.PI * i) / steps);
    along.push(along[i - 1]! + Math.hypot(x1 - x0, y1 - y0));
  }
  const whole = along[steps]!;
  let i = 0;
  return Array.from({ length: n }, (_, k) => {
    const want = ((k + 0.5) * whole) / n;
    while (along[i + 1]! < want) i++;
    const t = (2 * Math.PI * (i + (want - along[i]!) / (along[i + 1]! - along[i]!))) / steps;
    const [x, y] = point(t);
    const turn = (Math.atan2(Math.sin(t) / a, Math.cos(t) / b) * 180) / Math.PI;
    return { x: +x.toFixed(1), y: +y.toFixed(1), turn: +turn.toFixed(1) };
  });
}

/** How many petals of about `pitch` pixels fit round the ellipse: a multiple of 6, one for each colour in turn. */
export function petals(a: number, b: number, pitch: number): number {
  const h = ((a - b) / (a + b)) ** 2;
  const round = Math.PI * (a + b) * (1 + (3 * h) / (10 + Math.sqrt(4 - 3 * h)));
  return Math.max(12, 6 * Math.round(round / pitch / 6));
}

/** Length of a rim petal in an ellipse with this vertical half axis. */
export const petalSize = (b: number): number => Math.max(9, Math.min(26, b * 0.135));

/** A line across the width that wavers like a hand's: the same for the same seed. */
export function wave(width: number, y: number, seed: number, swing: number): string {
  const points: string[] = [];
  for (let i = 0; i <= 24; i++) {
    const x = -width / 2 + (width * i) / 24;
    const s = Math.sin(i * 0.9 + seed * 1.7) + 0.6 * Math.sin(i * 2.3 + seed * 4.1);
    points.push(`${x.toFixed(1)} ${(y + swing * s).toFixed(1)}`);
  }
  return points.join('L');
}

/** Outline of the mountain's band: two wavering edges, rounded where they meet. */
export function band(width: number, half: number, seed: number): string {
  const top = wave(width, -half, seed, 0.9);
  const bottom = wave(width, half, seed + 3, 0.9).split('L').reverse().join('L');
  return `M${top}Q${width / 2 + 5} 0 ${bottom}Q${-width / 2 - 5} 0 ${top.split('L')[0]}Z`;
}

/** The half disc of a field: below (1) or above (-1) the band. */
export function half(a: number, b: number, inset: number, side: 1 | -1): string {
  const y = inset * side;
  const x = a * Math.sqrt(Math.max(0, 1 - (inset / b) ** 2));
  return `M${-x.toFixed(1)} ${y}A${a} ${b} 0 0 ${side > 0 ? 0 : 1} ${x.toFixed(1)} ${y}Z`;
}
