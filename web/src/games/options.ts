// The names of all games' options, for forms and lists. Games that share an option's name share its meaning.
import { OPTIONS as mandala } from './mandala/options';
import { OPTIONS as stones } from './stones/options';

/** One option: its name, and for a choice its values with theirs. */
export interface OptionText {
  label: () => string;
  hint: () => string;
  values?: Record<string, () => string>;
  /** For a whole object: what puts into words why one was refused, from the parameters of the refusal. */
  faults?: () => Promise<(params: Readonly<Record<string, string | number>>) => string>;
}

/** By the name that the server gives. An option that is not here is left at its default. */
export const OPTIONS: Readonly<Record<string, OptionText>> = { ...mandala, ...stones };
