// The options that tables can have, as a form needs them: what they are called, and which values a choice has.
import type { ApiFailure } from './api';
import { m } from './i18n';
import { failureText } from './names';

/** One option: its name, and for a choice its values with theirs. */
export interface OptionText {
  label: () => string;
  hint: () => string;
  values?: Record<string, () => string>;
}

/** By the name that the server gives. An option that is not here is left at its default. */
export const OPTIONS: Readonly<Record<string, OptionText>> = {
  exhaustion: {
    label: () => m.option_exhaustion(),
    hint: () => m.option_exhaustion_hint(),
    values: { eager: () => m.option_exhaustion_eager(), lazy: () => m.option_exhaustion_lazy() },
  },
  stall_limit: { label: () => m.option_stall_limit(), hint: () => m.option_stall_limit_hint() },
  memory_aid: { label: () => m.option_memory_aid(), hint: () => m.option_memory_aid_hint() },
  reveal_covered_patterns: { label: () => m.option_reveal(), hint: () => m.option_reveal_hint() },
  count_empty_as_height: { label: () => m.option_empty_height(), hint: () => m.option_empty_height_hint() },
  tiebreak: {
    label: () => m.option_tiebreak(),
    hint: () => m.option_tiebreak_hint(),
    values: {
      shared: () => m.option_tiebreak_shared(),
      most_stones_left: () => m.option_tiebreak_most(),
      fewest_stones_left: () => m.option_tiebreak_fewest(),
    },
  },
  ruleset: { label: () => m.option_ruleset(), hint: () => m.option_ruleset_hint() },
};

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

/** A sentence for a wish that was refused: which option cannot be so, and why. */
export function wishText({ code, rule, params }: ApiFailure): string {
  if (rule === 'bad_ruleset') return m.error_ruleset({ field: params['field'] ?? '', reason: params['reason'] ?? '' });
  const option = OPTIONS[String(params['option'])];
  return option && code === 'bad_request' ? m.error_option({ option: option.label() }) : failureText(code);
}
