// What players have agreed on and a scene must tell: that the game is paused, and that a move was taken back. Used by every game's table.
import { m, speaks } from '../lib/i18n';
import type { TableSession } from '../lib/session';

type Told = Pick<TableSession<unknown, unknown>, 'info' | 'log'>;

/** What stands above all else, in words; empty for nothing. The words come with what is asked at the table. `names`: of a seat. */
export function agreed({ info, log }: Told, names: (seat: number) => string): string {
  if (!speaks('paused_line')) return '';
  if (info?.clock?.paused) return m.paused_line();
  const last = log.findLast(({ kind }) => kind === 'action' || kind === 'undone');
  if (last?.kind !== 'undone' || last.seat == null) return '';
  return last.seat === info?.you ? m.told_undone_you() : m.told_undone({ who: names(last.seat) });
}
