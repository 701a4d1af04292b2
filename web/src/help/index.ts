// Which games have a page of rules, each loaded only when it is opened.
import type { Component } from 'svelte';
import type { HelpMessages } from '../lib/i18n';

/** The pages by game. */
export const RULES: Readonly<Record<string, () => Promise<{ default: Component<{ h: HelpMessages }> }>>> = {
  mandala: () => import('./Mandala.svelte'),
};
