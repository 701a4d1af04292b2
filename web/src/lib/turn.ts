// Where a table stands, in a few words.
import { m, speaks } from './i18n';
import { result, seatName } from './names';
import type { TableSession } from './session';

type Seen = Pick<TableSession, 'info' | 'view' | 'shown'>;

/** Whether everybody agreed to stop the clocks: nobody moves until they go on. */
export const isPaused = ({ info }: Pick<Seen, 'info'>): boolean => info?.clock?.paused === true;

/** Whether a step is only talk, which changes nothing on the table: whoever is choosing goes on choosing. */
export const isTalk = ({ kind }: { kind: string }): boolean => ['said', 'proposed', 'answered'].includes(kind);

/** Whether the game is over, and has been seen to end: nothing may tell the result before the scene does. */
export const isOver = ({ info, view, shown }: Seen): boolean => info?.state === 'over' && (!shown || shown === view);

/** Whose turn it is in the picture that is shown; null when it is nobody's. */
export const turnOf = (session: Seen): number | null =>
  !session.info || session.info.state === 'open' || isOver(session) ? null : ((session.shown ?? session.view)?.to_move ?? null);

/** Whose turn it is, who won, or that somebody is waited for, as far as the scene has got; empty while nothing is known. */
export function turnText(session: Seen): string {
  const { info } = session;
  if (!info) return '';
  if (info.state === 'open') return m.table_open();
  // Why it ended stands in the reckoning; here is little room. The words come with what is offered after the end.
  if (isOver(session)) return speaks('result_draw') ? result({ ...info, ended_by: null }) : '';
  if (isPaused(session) && speaks('paused_title')) return m.paused_title();
  const seat = turnOf(session);
  if (seat === null) return '';
  return seat === info.you ? m.your_turn() : m.turn_of({ name: seatName(info, seat) });
}

/** Whether something is asked at the table, was just declined, or may have to be decided there, for who plays. */
export const asksSomething = ({ info, away, log }: Pick<TableSession, 'info' | 'log'> & { away: readonly unknown[] }): boolean =>
  info?.state === 'running' &&
  info.you !== null &&
  Boolean(info.proposals?.length || away.length || info.clock?.paused || info.seats[info.you]?.absent || log.at(-1)?.yes === false);

/** What lies open over a table; `null`: nothing. */
export type Open = null | 'menu' | 'log' | 'share' | 'resign' | 'settings' | 'draw' | 'chat';
