// How seats, bots, codes and results are called, in the language shown.
import { locale, m } from './i18n';
import type { TableInfo } from './wire';

/** The bots in the order in which `bot_names` names them: one message is lighter than six, and every table loads it. */
const BOTS = ['newcomer', 'apprentice', 'journeyman', 'master', 'champion', 'random'];

/** A bot's name; one that has none here keeps its id. */
export const botName = (id: string): string => m.bot_names().split('|')[BOTS.indexOf(id)] ?? id;

/** Who sits there: the chosen name, the bot's, or a word for a guest without one. */
export function seatName(info: TableInfo, seat: number): string {
  const { kind, name } = info.seats[seat] ?? { kind: 'open', name: '' };
  if (kind === 'bot') {
    // Several of a kind are numbered in the order in which they sit.
    const same = info.seats.flatMap((other, i) => (other.kind === 'bot' && other.name === name ? [i] : []));
    return same.length > 1 ? `${botName(name)} ${same.indexOf(seat) + 1}` : botName(name);
  }
  if (kind === 'open') return m.seat_open();
  if (name || seat === info.you) return name || m.you();
  // Guests without a name are told apart by their seats.
  const unnamed = info.seats.filter((other, i) => other.kind === 'person' && !other.name && i !== info.you).length;
  return unnamed > 1 ? m.guest_n({ n: seat + 1 }) : m.guest();
}

/** Several names in one sentence: "Ben and Cleo". */
export const together = (names: readonly string[]): string => new Intl.ListFormat(locale, { type: 'conjunction' }).format(names);

/** Everybody but the reader, for a line such as "against Ben". */
export function opponents(info: TableInfo): string {
  const others = info.seats.map((_, seat) => seat).filter((seat) => seat !== info.you);
  const names = others.map((seat) => seatName(info, seat));
  return info.you === null ? names.join(' – ') : together(names);
}

/** Who won, in a short sentence; empty while nobody has. */
export function result(info: TableInfo): string {
  if (info.state !== 'over') return '';
  const { winners, you, seats } = info;
  if (winners.length === seats.length) return info.ended_by === 'stopped' ? m.result_stopped() : m.result_draw();
  if (winners.length > 1) return you !== null && winners.includes(you) ? m.result_you_shared() : m.result_shared({ names: together(winners.map((seat) => seatName(info, seat))) });
  if (you !== null && winners.includes(you)) return info.ended_by === 'resigned' && seats.length === 2 ? m.result_you_won_resigned() : m.result_you_won();
  const name = seatName(info, winners[0] ?? 0);
  return info.ended_by === 'resigned' ? m.result_other_won_resigned({ name }) : m.result_other_won({ name });
}

/** A code as typed by hand: without spaces and marks, in capitals. */
export const cleanCode = (typed: string): string => typed.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** A code in two groups, easier to read out. */
export function spacedCode(code: string): string {
  const half = Math.ceil(code.length / 2);
  return code.length > 4 ? `${code.slice(0, half)} ${code.slice(half)}` : code;
}
