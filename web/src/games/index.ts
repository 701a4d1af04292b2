// Which games have a scene here, each loaded only when a page shows it; their pictures likewise.
import type { Component } from 'svelte';
import { withSet } from '../lib/i18n';
import type { StepOf, TableSession } from '../lib/session';
import type { GameEvent, TableInfo, View } from '../lib/wire';

/** What a game's folder exports; `V` and `E` are the types of its own views and events. */
export interface GameModule<V = View, E = GameEvent> {
  /** The table itself; fills the box it is put into. */
  Scene: Component<{ session: TableSession<V, E> }>;
  /** Fetches what writes one line of the move log, in the language shown; empty for a step that the log leaves out. */
  describer(): Promise<(step: StepOf<E>, info: TableInfo) => string>;
}

/**
 * A game's scene and its messages, loaded side by side. A page finds the scene by the game of its table, so that no scene
 * meets another game's views: here, and only here, its narrower types are taken for those of any game.
 */
async function scene<V extends View, E extends GameEvent>(game: string, module: Promise<GameModule<V, E>>): Promise<GameModule> {
  return (await withSet(game, module)) as unknown as GameModule;
}

/** The games by id, in the order in which they are offered. */
export const GAMES: Readonly<Record<string, () => Promise<GameModule>>> = {
  mandala: () => scene('mandala', import('./mandala')),
  stones: () => scene('stones', import('./stones')),
};

/** A small picture of each game for the home page: far lighter than the scene. */
export const PREVIEWS: Readonly<Record<string, () => Promise<{ default: Component }>>> = {
  mandala: () => import('./mandala/Preview.svelte'),
  stones: () => import('./stones/Preview.svelte'),
};
