// The one thing a scene gets: a table as this browser knows it, always the newest that has arrived, and what can be asked of it.
import type { GameEvent, Refused, Snapshot, Step, TableInfo, Update, View } from './wire';

/** `live`: frames arrive. `offline`: the browser says that there is no network. */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'offline';

/** An action sent, or held while there is no connection, that has no answer yet. */
export interface Pending {
  id: string;
  action: string;
}

/** An entry of the log in which only events of type `E` happen. */
export type StepOf<E> = Omit<Step, 'events'> & { events?: E[] };
/** A snapshot of a game whose views are of type `V`. */
export type SnapshotOf<V, E> = Omit<Snapshot, 'view' | 'log'> & { view: V | null; log: StepOf<E>[] };
/** An update of such a game. */
export type UpdateOf<V, E> = Omit<Update, 'view' | 'step'> & { view: V | null; step: StepOf<E> };

/** Called with every frame that changes the table, after the fields of the session have changed. */
export type FrameListener<V = View, E = GameEvent> = (frame: SnapshotOf<V, E> | UpdateOf<V, E>) => void;

/**
 * A table session. Fields are reactive (runes); nothing in it is guessed: they show what the server said last.
 * A scene names the types of its own game: `TableSession<MandalaView, MandalaEvent>`.
 */
export interface TableSession<V = View, E = GameEvent> {
  readonly info: TableInfo | null;
  /** Every option of the game with its value; they never change. Empty before the first snapshot. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly view: V | null;
  /** The picture that the scene has got to: behind `view` while a step is played. Set by the scene; null before it shows one. */
  shown: V | null;
  readonly log: StepOf<E>[];
  readonly connection: Connection;
  readonly pending: Pending | null;
  /** The last refusal; `null` again as soon as another command is given. */
  readonly refusal: Refused | null;
  /** By seat: somebody is connected. */
  readonly online: boolean[];
  readonly spectators: number;
  /** The log entry that the reader points at: the scene marks what it touched. Set by the move log. */
  highlight: StepOf<E> | null;
  /** Play an action in notation, at the newest ply known here. Does nothing while another one waits for its answer. */
  act(action: string): void;
  resign(): void;
  rematch(): void;
  hurry(): void;
  /** Returns the way to stop listening. */
  subscribe(listener: FrameListener<V, E>): () => void;
}
