// The shapes of this game's data, and what the shell carries from table to scene, as it is at a table of this game.
import type { SnapshotOf, StepOf, TableSession, UpdateOf } from '../../lib/session';
import type { StonesArtist, StonesEvent, StonesView } from '../../lib/wire';

export type {
  StonesBonus,
  StonesChoices,
  StonesColourScoring,
  StonesEvent,
  StonesObjective,
  StonesPick,
  StonesRefusal,
  StonesScoredStone,
  StonesView,
} from '../../lib/wire';
export type Pattern = StonesArtist['pattern'];
export type Session = TableSession<StonesView, StonesEvent>;
export type Step = StepOf<StonesEvent>;
export type Frame = SnapshotOf<StonesView, StonesEvent> | UpdateOf<StonesView, StonesEvent>;
