// Sand on a canvas: a card falls to grains, and a breath carries them to where they go.

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Draws grains from the square of edge `c` at `from` to `to`; resolves when the last one has arrived or `stopped` says so. */
export function sweep(canvas: HTMLCanvasElement, from: Point & { c: number }, to: Point, colour: string, delay: number, stopped: () => boolean): Promise<void> {
  const pen = canvas.getContext('2d');
  const n = 150;
  const grains = Array.from({ length: n }, () => ({
    x: from.x + (Math.random() - 0.5) * from.c,
    y: from.y + (Math.random() - 0.5) * from.c,
    bend: (Math.random() - 0.5) * 120,
    wait: Math.random() * 0.42,
    size: 1 + Math.random() * 2,
    tone: 0.65 + Math.random() * 0.35,
  }));
  const length = 1300;
  const begin = performance.now() + delay;
  shared.set(canvas, (shared.get(canvas) ?? 0) + 1);
  return new Promise((resolve) => {
    let left = false;
    const leave = () => {
      if (left) return;
      left = true;
      const others = (shared.get(canvas) ?? 1) - 1;
      shared.set(canvas, others);
      if (others === 0) pen?.clearRect(0, 0, canvas.width, canvas.height);
      resolve();
    };
    const frame = (now: number) => {
      if (stopped() || !pen || now > begin + length) return leave();
      wipe(canvas, pen, now);
      const whole = (now - begin) / length;
      pen.fillStyle = colour;
      for (const g of grains) {
        const t = Math.min(1, Math.max(0, (whole - g.wait) / 0.58));
        if (t >= 1) continue;
        const s = t * t * (3 - 2 * t);
        const lift = Math.sin(Math.PI * s);
        pen.globalAlpha = g.tone * (1 - s * 0.35);
        pen.fillRect(g.x + (to.x - g.x) * s + g.bend * lift * 0.6, g.y + (to.y - g.y) * s + g.bend * lift * 0.5, g.size, g.size);
      }
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    // A tab that draws no frames must not hold the table up.
    setTimeout(leave, delay + length + 400);
  });
}

const shared = new WeakMap<HTMLCanvasElement, number>();
const wiped = new WeakMap<HTMLCanvasElement, number>();

/** Clear the canvas once a frame, however many cards fall at the same time. */
function wipe(canvas: HTMLCanvasElement, pen: CanvasRenderingContext2D, now: number): void {
  if (wiped.get(canvas) === now) return;
  wiped.set(canvas, now);
  const scale = window.devicePixelRatio || 1;
  const [w, h] = [Math.round(canvas.clientWidth * scale), Math.round(canvas.clientHeight * scale)];
  if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, w, h);
}
