// Where a table stands, in a few words.
import { m } from './i18n';
import { result, seatName } from './names';
import type { TableSession } from './session';

/** Whose turn it is, who won, or that somebody is waited for; empty while nothing is known. */
export function turnText({ info, view }: Pick<TableSession, 'info' | 'view'>): string {
  if (!info) return '';
  if (info.state === 'open') return m.table_open();
  if (info.state === 'over') return result(info);
  const seat = view?.to_move ?? null;
  if (seat === null) return '';
  return seat === info.you ? m.your_turn() : m.turn_of({ name: seatName(info, seat) });
}

/** What lies open over a table; `null`: nothing. */
export type Open = null | 'menu' | 'log' | 'share' | 'resign' | 'settings';
