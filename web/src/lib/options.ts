// What forms and lists say of a table's options: which are worth telling, their values in words, and why a wish was refused.
import { OPTIONS } from '../games/options';
import type { ApiFailure } from './api';
import { m } from './i18n';
import { failureText } from './failures';
import { seatName } from './names';
import type { TableInfo } from './wire';

/** The options worth telling: those that have a name here. A rules file only if it is not the one shipped. */
export const toldOptions = (options: Readonly<Record<string, unknown>>): [string, unknown][] =>
  Object.entries(options).filter(([name, value]) => name in OPTIONS && !(typeof value === 'object' && (value as { name?: unknown } | null)?.name === 'default'));

/** A value in words. */
export function optionValue(name: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? m.yes() : m.no();
  if (value === 0) return m.option_off();
  if (typeof value === 'object' && value !== null) return m.option_file_own({ name: String((value as { name?: unknown }).name ?? '–') });
  return OPTIONS[name]?.values?.[String(value)]?.() ?? String(value);
}

/** Who begins, in words; of several open seats nobody knows yet who will sit there. */
export function beginner(table: TableInfo): string {
  const { first, seats } = table;
  if (first === null) return m.first_chance();
  if (seats[first]?.kind !== 'open') return seatName(table, first);
  return seats.filter(({ kind }) => kind === 'open').length > 1 ? m.player_n({ n: first + 1 }) : m.you();
}

/** A sentence for a wish that was refused: which option cannot be so, and why. */
export async function wishText({ code, rule, params }: ApiFailure): Promise<string> {
  const faults = rule === 'bad_ruleset' && OPTIONS['ruleset']?.faults;
  if (faults) return m.error_ruleset({ field: params['field'] ?? '', reason: (await faults())(params) });
  const option = OPTIONS[String(params['option'])];
  return option && code === 'bad_request' ? m.error_option({ option: option.label() }) : failureText(code);
}
