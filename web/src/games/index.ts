// Which games have a scene here, each loaded only when a page shows it; their pictures likewise.
import type { Component } from 'svelte';
import type { Step, TableInfo } from '../lib/wire';
import { loadGame } from '../lib/i18n';
import type { TableSession } from '../lib/session';

/** What a game's folder exports. */
export interface GameModule {
  /** The table itself; fills the box it is put into. */
  Scene: Component<{ session: TableSession }>;
  /** One line of the move log, in the language shown; empty for a step that the log leaves out. */
  describeStep(step: Step, info: TableInfo): string;
}

/** A game's scene and its messages, loaded side by side. */
const withMessages = (game: string, scene: Promise<GameModule>): Promise<GameModule> => Promise.all([scene, loadGame(game)]).then(([module]) => module);

/** The games by id. */
export const GAMES: Readonly<Record<string, () => Promise<GameModule>>> = {
  mandala: () => withMessages('mandala', import('./mandala')),
};

/** A small picture of each game for the home page: far lighter than the scene. */
export const PREVIEWS: Readonly<Record<string, () => Promise<{ default: Component }>>> = {
  mandala: () => import('./mandala/Preview.svelte'),
};
