// Codes of the wire turned into words of the language shown: colours, stones, towers, stacks, spaces, ends.
import { locale, m } from '../../lib/i18n';
import type { SpaceRule } from './ruleset';

/** Joins parts as the language does: "a, b". */
export const list = (parts: string[]): string => new Intl.ListFormat(locale, { type: 'unit', style: 'short' }).format(parts);

/** A colour's name: "red". */
export function colourName(colour: string): string {
  const names: Record<string, () => string> = { Y: m.stones_y, R: m.stones_r, B: m.stones_b, P: m.stones_p };
  return names[colour.toUpperCase()]?.() ?? colour;
}

/** A stone's name: "yellow star"; of a covered one, `(y)`, only the colour. */
export function stoneName(stone: string): string {
  const names: Record<string, () => string> = {
    Y: m.stones_star_y, R: m.stones_star_r, B: m.stones_star_b, P: m.stones_star_p,
    y: m.stones_circle_y, r: m.stones_circle_r, b: m.stones_circle_b, p: m.stones_circle_p,
  }; // prettier-ignore
  return names[stone]?.() ?? colourName(stone.replace(/\W/g, ''));
}

/** A stack's or tower's stones, bottom to top: letters, covered ones with their brackets. */
export const stonesOf = (text: string): string[] => text.match(/\(.\)|./g) ?? [];

/** Some stones in words, in the order given: "yellow star, blue circle". */
export const stonesInWords = (text: string): string => list(stonesOf(text).map(stoneName));

/** A tower from the top down: "yellow star on red circle". */
export function towerInWords(tower: string): string {
  const [top, ...rest] = stonesOf(tower).reverse().map(stoneName);
  if (top === undefined) return m.stones_empty();
  return rest.length ? m.stones_tower({ top, rest: list(rest) }) : top;
}

/** A stack of the main board, its name first. */
export function stackInWords(stack: number, stones: string): string {
  const s = String(stack).padStart(2, '0');
  const [top, ...rest] = stonesOf(stones).reverse().map(stoneName);
  if (top === undefined) return m.stones_stack_empty({ s });
  return rest.length ? m.stones_stack({ s, top, rest: list(rest) }) : m.stones_stack_one({ s, top });
}

/** How an own space pays, in the numbers of the table's ruleset. */
export function ruleInWords(rule: SpaceRule | undefined): string {
  if (rule?.rule === 'height_table') return m.stones_rule_table({ list: list(rule.points.map((n, i) => m.stones_rule_height({ h: i + 1, n }))) });
  if (rule?.rule === 'distinct_heights') return m.stones_rule_heights({ n: rule.each });
  return rule ? m.stones_rule_colours({ n: rule.each }) : '';
}
