// The pieces from which stones and artists are put together, as SVG text: once in the page, then used by all.
// `--c`, `--c-lo` and `--mark` of the place that uses them colour them; classes are in stone.css.
import { EDGES, FLAT, R, RIMS, THICK, WALL, edge, facets, ring, star } from './shapes';

const flat = (drawing: string, y = 0): string => `<g transform="translate(0 ${y}) scale(1 ${FLAT})">${drawing}</g>`;

/** The picture cut into a top: a star with lit and shaded arms, or a ring round a hollow. Seen from straight above. */
const MARKS: Readonly<Record<string, string>> = {
  star: `<path class="st-cut" d="${star(6, 41, 17)}"/><path class="st-mark" d="${star(6, 37, 15)}"/><path class="st-facet" d="${facets(6, 37, 15)}"/>`,
  circle: `<circle class="st-cut" r="36.5"/><path class="st-mark" d="${ring(33, 17.5)}"/><circle class="st-well" r="17.5"/><path class="st-glint" d="M-31-11A33 33 0 0 1 11-31"/>`,
};

/** The upper face of a disc: bevel, face, light. */
const FACE = `<circle class="st-face" r="${R}"/><circle class="st-bevel" r="${R - 2}"/><circle class="st-light" r="${R - 5}"/>`;

/** One rim for each colour, without the top. */
const walls = Object.entries(RIMS).map(
  ([colour, mark]) =>
    `<g id="st-w${colour}"><path class="st-wall" d="${WALL}"/><path class="st-rim st-rim${colour}" d="${mark}"/><path class="st-shade" d="${WALL}"/><path class="st-seam" d="${edge(0)}"/><path class="st-lip" d="${edge(0.96)}"/></g>`,
);

/** Pillars: the star's is cut in flutes, the circle's is smooth and bound by two bands. Height 62, foot at 0 0. */
const H = 66;
const r = 31;
const shaft = `M${-r} ${-H}V0A${r} ${r * FLAT} 0 0 0 ${r} 0V${-H}Z`;
const flutes = [-0.86, -0.55, -0.19, 0.19, 0.55, 0.86].map((s) => `M${(r * s).toFixed(1)} ${(-H + r * FLAT * Math.sqrt(1 - s * s)).toFixed(1)}V${(r * FLAT * Math.sqrt(1 - s * s)).toFixed(1)}`).join('');
const band = (y: number) => `M${-r} ${y}A${r} ${r * FLAT} 0 0 0 ${r} ${y}`;
const pillar = (pattern: string, cut: string) =>
  `<g id="st-a${pattern}">${flat(`<circle class="st-foot" r="${r + 7}"/>`, 1)}<path class="st-shaft" d="${shaft}"/>${cut}<path class="st-shade" d="${shaft}"/>${flat(
    `<circle class="st-cap" r="${r + 2}"/><circle class="st-bevel" r="${r + 1}"/><g transform="scale(.7)">${MARKS[pattern]}</g>`,
    -H,
  )}</g>`;

/** Everything, for the inside of one hidden `<svg>`. */
export const SYMBOLS = `<defs>
<linearGradient id="st-g-wall"><stop stop-color="#fff" stop-opacity=".1"/><stop offset=".28" stop-color="#fff" stop-opacity=".34"/><stop offset=".52" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#100804" stop-opacity=".56"/></linearGradient>
<linearGradient id="st-g-bevel" x1=".2" y1="0" x2=".75" y2="1"><stop stop-color="#fff" stop-opacity=".75"/><stop offset=".5" stop-color="#fff" stop-opacity=".1"/><stop offset="1" stop-color="#100804" stop-opacity=".42"/></linearGradient>
<radialGradient id="st-g-light" cx=".34" cy=".24" r=".8"><stop stop-color="#fff" stop-opacity=".42"/><stop offset=".5" stop-color="#fff" stop-opacity=".06"/><stop offset="1" stop-color="#100804" stop-opacity=".2"/></radialGradient>
<radialGradient id="st-g-well" cx=".6" cy=".68" r=".75"><stop stop-color="#100804" stop-opacity="0"/><stop offset="1" stop-color="#100804" stop-opacity=".5"/></radialGradient>
<radialGradient id="st-g-shadow"><stop offset=".45" stop-color="#140a02" stop-opacity=".62"/><stop offset=".72" stop-color="#140a02" stop-opacity=".26"/><stop offset="1" stop-color="#140a02" stop-opacity="0"/></radialGradient>
${walls.join('')}
<g id="st-star">${flat(FACE + MARKS['star'], -THICK)}</g><g id="st-circle">${flat(FACE + MARKS['circle'], -THICK)}</g><g id="st-plain">${flat(FACE, -THICK)}</g>
<g id="st-fstar">${FACE + MARKS['star']}</g><g id="st-fcircle">${FACE + MARKS['circle']}</g>
<g id="st-fplain">${FACE}</g>${Object.entries(EDGES).map(([colour, mark]) => `<path id="st-e${colour}" class="st-rim st-edge st-rim${colour}" d="${mark}"/>`).join('')}
<g id="st-mstar">${MARKS['star']}</g><g id="st-mcircle">${MARKS['circle']}</g>
<ellipse id="st-shadow" cx="9" cy="7" rx="${R + 20}" ry="${(R + 20) * FLAT}" fill="url(#st-g-shadow)"/>
${pillar('star', `<path class="st-flute" d="${flutes}"/>`)}${pillar('circle', `<path class="st-band" d="${band(-H * 0.3)}${band(-H * 0.42)}"/>`)}
</defs>`;
