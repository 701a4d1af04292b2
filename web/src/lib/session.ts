// The one thing a scene gets: a table as this browser knows it, always the newest that has arrived, and what can be asked of it.
import type { Refused, Snapshot, Step, TableInfo, Update, View } from './wire';

/** `live`: frames arrive. `offline`: the browser says that there is no network. */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'offline';

/** An action sent, or held while there is no connection, that has no answer yet. */
export interface Pending {
  id: string;
  action: string;
}

/** Called with every frame that changes the table, after the fields of the session have changed. */
export type FrameListener = (frame: Snapshot | Update) => void;

/** A table session. Fields are reactive (runes); nothing in it is guessed: they show what the server said last. */
export interface TableSession {
  readonly info: TableInfo | null;
  readonly view: View | null;
  readonly log: Step[];
  readonly connection: Connection;
  readonly pending: Pending | null;
  /** The last refusal; `null` again as soon as another command is given. */
  readonly refusal: Refused | null;
  /** By seat: somebody is connected. */
  readonly online: boolean[];
  readonly spectators: number;
  /** The log entry that the reader points at: the scene marks what it touched. Set by the move log. */
  highlight: Step | null;
  /** Play an action in notation, at the newest ply known here. Does nothing while another one waits for its answer. */
  act(action: string): void;
  resign(): void;
  rematch(): void;
  hurry(): void;
  /** Returns the way to stop listening. */
  subscribe(listener: FrameListener): () => void;
}
