// What the reader may ask of the others at the table, and what awaits whom. Pure; the server decides, here only what is offered.
import type { Proposal, Step, TableInfo } from './wire';

export type Wish = Proposal['what'];

/** Whether the reader plays: sits there, has not given up, and no bot plays for them. */
export const plays = (info: TableInfo): boolean => info.state === 'running' && info.you !== null && !info.seats[info.you]!.absent;

/** Whether a bot plays at the table, for itself or for somebody. */
const withBot = (info: TableInfo): boolean => info.seats.some(({ kind, absent, resigned, flagged }) => (kind === 'bot' && !resigned && !flagged) || absent);

/** Whether somebody said no to this wish of the reader's since the last action. */
export function declined(log: readonly Step[], you: number | null, what: Wish): boolean {
  let no = false;
  for (const step of log.toReversed()) {
    if (step.kind === 'action' || step.kind === 'undone' || step.kind === 'started') return false;
    if (step.what !== what) continue;
    if (step.kind === 'answered') no = step.yes === false && step.seat !== you;
    if (step.kind === 'proposed') {
      if (step.seat === you) return no;
      no = false;
    }
  }
  return false;
}

/** Whether the reader can ask for something now. */
export function mayAsk(info: TableInfo, log: readonly Step[], what: Wish): boolean {
  if (!plays(info) || info.proposals?.some((each) => each.what === what) || declined(log, info.you, what)) return false;
  // The server takes nothing else while the clocks stand still.
  if (info.clock?.paused && what !== 'resume') return false;
  switch (what) {
    case 'draw':
      return !withBot(info);
    case 'undo':
      return info.undo === true;
    case 'pause':
      return Boolean(info.clock) && !info.seats.some(({ absent }) => absent);
    case 'resume':
      return Boolean(info.clock?.paused);
  }
}

/** Why the reader cannot take their last move back now; `null` where nothing needs to be said: they can, it is asked already, or there is no such move. */
export function whyNoUndo(info: TableInfo, log: readonly Step[]): 'declined' | 'revealed' | null {
  if (!plays(info) || info.undo || info.clock?.paused || info.proposals?.some(({ what }) => what === 'undo')) return null;
  if (declined(log, info.you, 'undo')) return 'declined';
  let plies = Infinity;
  for (const step of log.toReversed()) {
    if (step.kind === 'undone') plies = Math.min(plies, step.ply!);
    else if (step.kind === 'action' && step.seat === info.you && step.ply! <= plies) return 'revealed';
  }
  return null;
}

/** Why the reader cannot offer a draw now; `null` where nothing needs to be said: they can, it is offered already, or a bot plays, which never agrees. */
export function whyNoDraw(info: TableInfo, log: readonly Step[]): 'declined' | 'paused' | null {
  if (!plays(info) || withBot(info) || info.proposals?.some(({ what }) => what === 'draw')) return null;
  return info.clock?.paused ? 'paused' : declined(log, info.you, 'draw') ? 'declined' : null;
}

/** From when on (the server's time) the reader may say that whoever must act is absent; `null`: nobody is. */
export function awayFrom(info: TableInfo, away: readonly (number | null)[]): { seat: number; from: number } | null {
  const seat = info.to_move;
  const from = seat === null ? null : (away[seat] ?? null);
  return seat === null || from === null || !plays(info) || seat === info.you ? null : { seat, from };
}
