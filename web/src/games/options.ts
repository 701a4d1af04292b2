// The names of all games' options, for forms and lists, and how long a game takes. Games that share an option's name share its meaning.
import { MINUTES as mandalaMinutes, OPTIONS as mandala } from './mandala/options';
import { MINUTES as stonesMinutes, OPTIONS as stones } from './stones/options';

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

/** About how many minutes a game takes people, by its id. */
export const MINUTES: Readonly<Record<string, number>> = { mandala: mandalaMinutes, stones: stonesMinutes };
