// The levels of play that a bot can have, as they are offered: which, in what order, each in one line.
import { locale, m } from './i18n';
import { botName } from './names';
import type { BotInfo, GameInfo } from './wire';

const KEY = 'sandriver.bot';

const HINTS: Record<string, () => string> = {
  newcomer: () => m.bot_newcomer_hint(),
  apprentice: () => m.bot_apprentice_hint(),
  journeyman: () => m.bot_journeyman_hint(),
  master: () => m.bot_master_hint(),
  champion: () => m.bot_champion_hint(),
};

/** A bot in one line. */
export const botHint = (id: string): string => HINTS[id]?.() ?? '';

/** How strong a level is: "Elo 1410"; nothing before the server has said it. */
export const botElo = ({ elo }: Pick<BotInfo, 'elo'>): string => (elo ? `Elo ${elo}` : '');

/** How long a level thinks about a move: "0.2 sec", "< 0.1 sec"; nothing before the server has said it. */
export function botPace({ thinking_ms: ms }: Pick<BotInfo, 'thinking_ms'>): string {
  const seconds = new Intl.NumberFormat(locale, { style: 'unit', unit: 'second', unitDisplay: 'short', maximumFractionDigits: 1 });
  const told = ms ? `${ms < 100 ? '< ' : ''}${seconds.format(Math.max(ms, 100) / 1000)}` : '';
  return told.replaceAll(' ', '\u00a0'); // one line never ends within it
}

/** Some facts in one line: "Master · Elo 1230 · < 0.1 sec". */
export const inLine = (...facts: string[]): string => facts.filter(Boolean).join(' · ');

/** A level with its strength and time, in one line. */
export const botLabel = (level: Pick<BotInfo, 'id' | 'elo' | 'thinking_ms'>): string => inLine(botName(level.id), botElo(level), botPace(level));

/** A game's levels, from gentle to strong; until the server says which it has, those that every server has, so that nothing moves then. */
export function levels(info: GameInfo | null | undefined): BotInfo[] {
  const bots: BotInfo[] = info?.bots ?? Object.keys(HINTS).map((id, i) => ({ id, version: 1, level: i + 1, elo: null, thinking_ms: null }));
  return bots.filter(({ level }) => level).sort((a, b) => a.level! - b.level!);
}

/** The level chosen last in this browser; none before the first choice, so that a first game is against the gentlest. */
export function lastLevel(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

/** Which level is chosen before somebody chooses: the wanted one if it is offered, else the gentlest. */
export const chosenLevel = (offered: BotInfo[], wanted: string = lastLevel()): string =>
  (offered.find(({ id }) => id === wanted) ?? offered[0])?.id ?? '';

/** Keep a choice for the next game. */
export function keepLevel(id: string): void {
  try {
    localStorage.setItem(KEY, id);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
