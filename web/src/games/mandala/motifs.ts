// The six motifs and the card back, as SVG text on a square from -24 to 24; `currentColor` draws them.

/** The same drawing `n` times round the centre, from `offset` degrees on. */
const turn = (n: number, drawing: string, offset = 0): string =>
  Array.from({ length: n }, (_, i) => `<g transform="rotate(${(360 / n) * i + offset})">${drawing}</g>`).join('');

const hexagon = (r: number): string =>
  Array.from({ length: 6 }, (_, i) => `${(r * Math.sin((i * Math.PI) / 3)).toFixed(2)} ${(-r * Math.cos((i * Math.PI) / 3)).toFixed(2)}`).join(' ');

const MOTIFS: Record<string, string> = {
  // an open lotus, eight outlined petals over eight narrow ones
  K: `<g fill="none" stroke="currentColor" stroke-linejoin="round">
        ${turn(8, `<path d="M0-6C2.6-10 2.6-14 0-18.5C-2.6-14-2.6-10 0-6Z" fill="currentColor" stroke="none" opacity=".42" />`, 22.5)}
        ${turn(8, `<g><path d="M0-4.5C5.2-9.5 5.4-15.5 0-21.5C-5.4-15.5-5.2-9.5 0-4.5Z" stroke-width="1.5" /><path d="M0-8V-15.5" stroke-width=".9" opacity=".75" /></g>`)}
        <circle r="3.4" fill="currentColor" stroke="none" /></g>`,
  // one broad leaf with its veins, two buds beside the stem
  G: `<path d="M0 15C-13 9-14.5-7 0-22C14.5-7 13 9 0 15Z" fill="currentColor" opacity=".3" /><g fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"><path d="M0 15C-13 9-14.5-7 0-22C14.5-7 13 9 0 15Z" stroke-width="1.7" /><path d="M0 22V-16" stroke-width="1.6" /><path d="M0 9.5C-4 8-7 5-8.5 1.5M0 9.5C4 8 7 5 8.5 1.5M0 2.5C-3.6 1-6.6-2-7.8-5.5M0 2.5C3.6 1 6.6-2 7.8-5.5M0-4.5C-2.6-6-4.6-8.5-5.4-11.5M0-4.5C2.6-6 4.6-8.5 5.4-11.5" stroke-width="1.2" /></g><g fill="currentColor"><path d="M-2 21C-8 22.5-14 20-17 14C-10 12.5-4.5 15-2 21ZM2 21C8 22.5 14 20 17 14C10 12.5 4.5 15 2 21Z" opacity=".92" /></g>`,
  // a star of two squares, rayed, with an eye
  P: `<g fill="none" stroke="currentColor" stroke-linejoin="round"><path d="M0-21.5L4.6-11.1L15.2-15.2L11.1-4.6L21.5 0L11.1 4.6L15.2 15.2L4.6 11.1L0 21.5L-4.6 11.1L-15.2 15.2L-11.1 4.6L-21.5 0L-11.1-4.6L-15.2-15.2L-4.6-11.1Z" stroke-width="1.6" fill="currentColor" fill-opacity=".26" />
        ${turn(8, `<path d="M0-9V-17" stroke-width="1" opacity=".85" />`)}
        <path d="M-7-7H7V7H-7ZM0-9.9L9.9 0L0 9.9L-9.9 0Z" stroke-width="1.3" /><circle r="3.6" fill="currentColor" stroke="none" /></g>`,
  // the sun, a full disc with long and waving rays
  Y: `<circle r="8.4" fill="currentColor" /><circle r="11" fill="none" stroke="currentColor" stroke-width="1" opacity=".7" />
      ${turn(12, `<path d="M-1.9-13L0-22L1.9-13Z" fill="currentColor" />`)}
      ${turn(12, `<path d="M0-13.2Q1.5-15 0-16.5T0-19.6" fill="none" stroke="currentColor" stroke-width="1.1" stroke-linecap="round" opacity=".8" />`, 15)}`,
  // a wheel of five flames
  O: `${turn(5, `<g><path d="M-1.5-5C-8-9-7-16 .5-22.5C-.5-17 4-15.5 5.5-11C6.5-7.5 4-5.2 1.8-4.4C3-8 .5-9.5 0-12C-2.2-9.5-2.6-7.5-1.5-5Z" fill="currentColor" /></g>`)}
      <circle r="3.1" fill="currentColor" /><circle r="22" fill="none" stroke="currentColor" stroke-width=".8" stroke-dasharray="1 3.6" opacity=".7" />`,
  // hexagons within each other, as of laid stones
  R: `<g fill="none" stroke="currentColor" stroke-linejoin="round"><polygon points="${hexagon(21.5)}" stroke-width="1.7" /><polygon points="${hexagon(16.4)}" stroke-width=".9" opacity=".8" /><path d="M0-16.4L14.2 8.2H-14.2ZM0 16.4L14.2-8.2H-14.2Z" stroke-width="1.2" fill="currentColor" fill-opacity=".24" /><polygon points="${hexagon(8.2)}" stroke-width="1.3" fill="currentColor" fill-opacity=".35" /><polygon points="${hexagon(3.8)}" fill="currentColor" stroke="none" /></g>`,
  // ripples of a river round a seed
  back: `<g fill="none" stroke="currentColor" stroke-width="1">
        ${turn(12, `<path d="M0-7C3-11 3-15 0-19C-3-15-3-11 0-7Z" opacity=".8" />`)}
        <circle r="5" /><circle r="21" stroke-dasharray="1.5 2.2" /><circle r="1.8" fill="currentColor" stroke="none" /></g>`,
};

/** Every motif as a `<symbol id="sr-K">`, to be put into one hidden `<svg>`. */
export const SYMBOLS = Object.entries(MOTIFS)
  .map(([id, drawing]) => `<symbol id="sr-${id}" viewBox="-24 -24 48 48">${drawing}</symbol>`)
  .join('');
