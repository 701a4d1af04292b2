// What the options of Mandala are called, by the name that the server gives, and how long a game takes.
import { m } from '../../lib/i18n';
import type { OptionText } from '../options';

export const OPTIONS: Readonly<Record<string, OptionText>> = {
  exhaustion: {
    label: () => m.option_exhaustion(),
    hint: () => m.option_exhaustion_hint(),
    values: { eager: () => m.option_exhaustion_eager(), lazy: () => m.option_exhaustion_lazy() },
  },
  stall_limit: { label: () => m.option_stall_limit(), hint: () => m.option_stall_limit_hint() },
  memory_aid: { label: () => m.option_memory_aid(), hint: () => m.option_memory_aid_hint() },
};

/** About how many minutes a game takes two people who know it. */
export const MINUTES = 20;
