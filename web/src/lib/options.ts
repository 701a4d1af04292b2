// The options that tables can have, as a form needs them: what they are called, and which values a choice has.
import { m } from './i18n';

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
};

/** A value in words. */
export function optionValue(name: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? m.yes() : m.no();
  if (value === 0) return m.option_off();
  return OPTIONS[name]?.values?.[String(value)]?.() ?? String(value);
}
