// Sand on a canvas: cards crumble from the far side on, and a breath carries their grains, in one bending stream, to where they go.

interface Square {
  readonly x: number;
  readonly y: number;
  /** Edge. */
  readonly c: number;
}

/** Cards that become sand, and the square or the mouth that takes it in. */
export interface Stream {
  readonly from: readonly Square[];
  readonly to: Square;
  readonly colour: string;
  /** Whether the grains lie in the square until all have come (a stone of the river), or sink (a cup, a pile). */
  readonly lies: boolean;
}

interface Grain {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  readonly x3: number;
  readonly y3: number;
  /** When it leaves, and how long it is on its way, in milliseconds. */
  readonly wait: number;
  readonly way: number;
  readonly size: number;
  readonly tone: number;
  readonly lies: boolean;
}

/** Light, middle and dark grains: one tone would look like confetti. */
const TONES = ['#fff 34%', '#fff 8%', '#000 14%'];
/** The edge of a card crumbles for so long; a grain flies about so long. */
const CRUMBLE = 620;
const WAY = 760;

function grains({ from, to, lies }: Stream, after: number): Grain[] {
  const found: Grain[] = [];
  const spread = (n: number) => (Math.random() + Math.random() - 1) * n;
  from.forEach((card, k) => {
    const [dx, dy] = [to.x - card.x, to.y - card.y];
    const far = Math.hypot(dx, dy) || 1;
    // Across the way: the stream bends like a river, and each grain a little otherwise.
    const [nx, ny] = [-dy / far, dx / far];
    const bend = Math.min(90, far * 0.22) * (dx < 0 ? -1 : 1);
    const pitch = Math.max(2.2, card.c / (from.length > 3 ? 13 : 17));
    const n = Math.round(card.c / pitch);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) {
        const [u, v] = [((i + 0.5) / n - 0.5) * card.c, ((j + 0.5) / n - 0.5) * card.c];
        const [x0, y0] = [card.x + u, card.y + v];
        // What lies nearest to the goal goes first.
        const along = 0.5 - (u * dx + v * dy) / (far * card.c * 1.42);
        const b1 = bend + spread(26);
        const b2 = bend * 0.35 + spread(14);
        found.push({
          x0, y0,
          x1: x0 + dx * 0.3 + nx * b1, y1: y0 + dy * 0.3 + ny * b1,
          x2: to.x - dx * 0.12 + nx * b2, y2: to.y - dy * 0.12 + ny * b2,
          x3: to.x + (lies ? (Math.random() - 0.5) * to.c * 0.94 : spread(to.c * 0.3)), y3: to.y + (lies ? (Math.random() - 0.5) * to.c * 0.94 : spread(3)),
          wait: after + k * 90 + along * CRUMBLE + Math.random() * 110, way: WAY * (0.85 + Math.random() * 0.3),
          size: pitch * (0.75 + Math.random() * 0.5), tone: Math.floor(Math.random() * 3), lies,
        }); // prettier-ignore
      }
  });
  return found;
}

/** Draws the streams, one after the other but overlapping; resolves when the last grain is there or `stopped` says so. */
export function sweep(canvas: HTMLCanvasElement, streams: readonly Stream[], stopped: () => boolean): Promise<void> {
  const pen = canvas.getContext('2d');
  if (!pen || !streams.length) return Promise.resolve();
  const scale = window.devicePixelRatio || 1;
  [canvas.width, canvas.height] = [Math.round(canvas.clientWidth * scale), Math.round(canvas.clientHeight * scale)];
  const tones = streams.flatMap(({ colour }, k) => {
    const all = grains(streams[k]!, k * 160);
    return TONES.map((tone, i) => ({ colour: `color-mix(in oklab, ${colour}, ${tone})`, all: all.filter((g) => g.tone === i) }));
  });
  const end = Math.max(...tones.flatMap(({ all }) => all.map((g) => g.wait + g.way))) + 60;
  const begin = performance.now();
  return new Promise((resolve) => {
    const leave = () => {
      pen.clearRect(0, 0, canvas.width, canvas.height);
      clearTimeout(late);
      resolve();
    };
    // A tab that draws no frames must not hold the table up.
    const late = setTimeout(leave, end + 600);
    const frame = (now: number) => {
      if (stopped() || now > begin + end) return leave();
      pen.setTransform(scale, 0, 0, scale, 0, 0);
      pen.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
      for (const { colour, all } of tones) {
        pen.fillStyle = colour;
        for (const g of all) {
          const t = Math.min(1, Math.max(0, (now - begin - g.wait) / g.way));
          if (t === 1 && !g.lies) continue;
          const s = t * t * (3 - 2 * t);
          const r = 1 - s;
          const [a, b, c, d] = [r * r * r, 3 * r * r * s, 3 * r * s * s, s * s * s];
          pen.fillRect(a * g.x0 + b * g.x1 + c * g.x2 + d * g.x3, a * g.y0 + b * g.y1 + c * g.y2 + d * g.y3, g.size, g.size);
        }
      }
      requestAnimationFrame(frame);
    };
    // At once: the cards have left the table, and nothing may be missing for a moment.
    frame(begin);
  });
}
