// What went wrong, in words: a sentence for every code of the server. Its messages are the lobby's.
import { m } from './i18n';
import type { Refused } from './wire';

const FAILURES: Record<string, () => string> = {
  network: () => m.error_network(),
  try_again: () => m.error_try_again(),
  too_many_requests: () => m.error_too_many(),
  unknown_table: () => m.error_unknown_table(),
  forbidden: () => m.error_forbidden(),
  seat_taken: () => m.error_seat_taken(),
  not_seated: () => m.error_not_seated(),
  not_your_turn: () => m.error_not_your_turn(),
  stale: () => m.error_stale(),
  game_over: () => m.error_game_over(),
  not_running: () => m.error_not_running(),
  illegal: () => m.error_illegal(),
};

/** A sentence for a code of the server; those that only a fault of ours can cause share one. */
export const failureText = (code: Refused['code']): string => (FAILURES[code] ?? m.error_bad_request)();

/** A sentence for a refused command: that a game is paused, or no longer is, is no beginning to wait for. */
export const refusedText = ({ code, rule }: Pick<Refused, 'code' | 'rule'>): string =>
  code !== 'not_running' || !rule ? failureText(code) : rule === 'paused' ? m.paused_line() : failureText('stale');
