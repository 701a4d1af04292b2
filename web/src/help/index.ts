// Which games have a page of rules, each loaded only when it is opened, with the messages it is written in.
import type { Component } from 'svelte';
import type { HelpSets } from './words';

/** A page of rules: it is given the messages of `words`. */
export interface Rules {
  readonly words: keyof HelpSets;
  readonly page: () => Promise<{ default: Component<{ h: object }> }>;
}

/** A page that is written in the messages of one set; which one, its own types check. */
const rules = <S extends keyof HelpSets>(words: S, page: () => Promise<{ default: Component<{ h: HelpSets[S] }> }>): Rules => ({ words, page: page as unknown as Rules['page'] });

/** The pages by game. */
export const RULES: Readonly<Record<string, Rules>> = {
  mandala: rules('help', () => import('./Mandala.svelte')),
  stones: rules('stones_help', () => import('./Stones.svelte')),
};
