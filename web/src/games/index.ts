// Which games have a scene here, each loaded only when a page shows it.
import type { Component } from 'svelte';
import type { Step, TableInfo } from '../lib/wire';
import type { TableSession } from '../lib/session';

/** What a game's folder exports. */
export interface GameModule {
  /** The table itself; fills the box it is put into. */
  Scene: Component<{ session: TableSession }>;
  /** One line of the move log, in the language shown; empty for a step that the log leaves out. */
  describeStep(step: Step, info: TableInfo): string;
  /** A small picture of the game for the home page. */
  Preview: Component;
}

/** The games by id. */
export const GAMES: Readonly<Record<string, () => Promise<GameModule>>> = {
  mandala: () => import('./mandala'),
};
