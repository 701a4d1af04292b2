// What the page reads from the ruleset that a table was opened with: the numbers that stand beside the spaces.
export type SpaceRule =
  | { readonly rule: 'distinct_heights'; readonly each: number; readonly count_empty_as_height?: boolean }
  | { readonly rule: 'distinct_colours'; readonly each: number }
  | { readonly rule: 'height_table'; readonly points: readonly number[] };

/** An objective card: what is counted, of which colour or pattern, and what each is worth. */
export interface Card {
  readonly id: string;
  readonly count: string;
  readonly of?: string;
  readonly each: number;
}

export interface Ruleset {
  readonly board: { readonly neighbours: Readonly<Record<string, readonly string[]>> };
  readonly spaces: readonly SpaceRule[];
  readonly score_colour: { readonly min_towers: number };
  readonly objectives: { readonly cards: readonly Card[] };
  readonly mandala: { readonly spaces: number; readonly bonus: Readonly<Record<string, number>>; readonly end: Readonly<Record<string, number>> };
}

/** The ruleset in a table's options; null while they are not known yet. */
export function rulesetOf(options: Readonly<Record<string, unknown>>): Ruleset | null {
  return (options['ruleset'] as Ruleset | undefined) ?? null;
}

/** Every artist space with the stacks it touches, as numbers. */
export const touching = (ruleset: Ruleset | null): [number, number[]][] =>
  Object.entries(ruleset?.board.neighbours ?? {}).map(([space, stacks]) => [Number(space.slice(1)), stacks.map((stack) => Number(stack.slice(1)))]);
