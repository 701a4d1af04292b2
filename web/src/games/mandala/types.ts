// What the shell carries from table to scene, as it is at a table of this game.
import type { SnapshotOf, StepOf, TableSession, UpdateOf } from '../../lib/session';
import type { MandalaEvent, MandalaView } from '../../lib/wire';

export type View = MandalaView;
export type GameEvent = MandalaEvent;
export type Step = StepOf<MandalaEvent>;
export type Frame = SnapshotOf<MandalaView, MandalaEvent> | UpdateOf<MandalaView, MandalaEvent>;
export type Session = TableSession<MandalaView, MandalaEvent>;
