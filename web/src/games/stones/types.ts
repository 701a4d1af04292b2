// The shapes of what passes between server and browser in a game of Mandala Stones.
import type { SnapshotOf, StepOf, TableSession, UpdateOf } from '../../lib/session';
import type { Outcome } from '../../lib/wire';

export type Pattern = 'star' | 'circle';
export interface StonesArtist {
  space: number;
  pattern: Pattern;
}
export interface StonesObjective {
  id: string;
  points: number;
}
export interface StonesSideView {
  towers: [string, string, string, string, string];
  score: number;
  heights: number;
  objectives: StonesObjective[] | null;
}
export interface StonesRefusal {
  code: string;
  params?: { [k: string]: string | number };
}
export interface StonesYield {
  stack: number;
  stone: string;
  refusal?: '' | 'empty' | 'pattern' | 'blocked';
  blocker?: number | null;
}
export interface StonesFirst {
  stack: number;
  tower: string;
}
export interface StonesPick {
  artist: number;
  to: number;
  yields: StonesYield[];
  firsts: StonesFirst[];
  refusal: StonesRefusal | null;
}
export interface StonesBonus {
  place: number;
  points: number;
}
export interface StonesScoredStone {
  space: number;
  stone: string;
  height: number;
  points: number;
}
export interface StonesColourScoring {
  colour: string;
  action: string;
  stones: StonesScoredStone[];
  bonuses: StonesBonus[];
  points: number;
  ends: boolean;
  refusal: StonesRefusal | null;
}
export interface StonesTopsScoring {
  count: number;
  stones: number;
  bonuses: StonesBonus[];
  points: number;
  ends: boolean;
}
export interface StonesChoices {
  picks: StonesPick[];
  spaces: number[];
  colours: StonesColourScoring[];
  tops: StonesTopsScoring[];
}
export interface StonesMandalaView {
  stones: string;
  end: number;
  next_bonus: StonesBonus | null;
}
export interface StonesSeatReckoning {
  track: number;
  objectives: StonesObjective[];
  best: number | null;
  total: number;
  stones_left: number;
}
export interface StonesView {
  viewer: number | null;
  to_move: number | null;
  phase: 'turn' | 'over';
  round: number;
  first: number;
  trigger: 'A' | 'B' | null;
  stacks: string[];
  artists: StonesArtist[];
  mandala: StonesMandalaView;
  sides: StonesSideView[];
  notation: string;
  legal: string[];
  choices: StonesChoices | null;
  outcome: Outcome | null;
  reckoning: StonesSeatReckoning[] | null;
}
export interface StonesTaken {
  stack: number;
  stone: string;
}
export type StonesEvent =
  | { type: 'move'; seat: number; pattern: Pattern; origin: number; to: number }
  | { type: 'gather'; seat: number; stones: StonesTaken[]; space: number }
  | { type: 'uncover'; stones: StonesTaken[] }
  | {
      type: 'score';
      seat: number;
      colour: string | null;
      stones: StonesScoredStone[];
      places: number[];
      bonuses: StonesBonus[];
      points: number;
    }
  | { type: 'last_round'; seat: number; trigger: 'A' | 'B' }
  | { type: 'skip'; seat: number }
  | { type: 'end'; outcome: Outcome };

/** What the shell carries from table to scene, as it is at a table of this game. */
export type Session = TableSession<StonesView, StonesEvent>;
export type Step = StepOf<StonesEvent>;
export type Frame = SnapshotOf<StonesView, StonesEvent> | UpdateOf<StonesView, StonesEvent>;
