// What the options of Mandala Stones are called, by the name that the server gives, and how long a game takes.
import { m, withSet } from '../../lib/i18n';
import type { OptionText } from '../options';

export const OPTIONS: Readonly<Record<string, OptionText>> = {
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
  ruleset: {
    label: () => m.option_ruleset(),
    hint: () => m.option_ruleset_hint(),
    faults: () => withSet('stones_faults', import('./faults')).then(({ faultInWords }) => faultInWords),
  },
};

/** About how many minutes a game takes two people who know it. */
export const MINUTES = 30;
