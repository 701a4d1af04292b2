// The messages of the pages of rules in the language shown, each loaded with its page.
import { locale, type Callable } from '../lib/i18n';
import { spoken } from '../lib/spoken.svelte';

/** The help pages' messages, by the set that holds them. */
export interface HelpSets {
  help: Callable<(typeof import('../paraglide/help/messages/en.js'))['default']>;
  stones_help: Callable<(typeof import('../paraglide/stones_help/messages/en.js'))['default']>;
}

const FILES = import.meta.glob<object>('../paraglide/*help/messages/{en,pt-BR,ja,el}.js', { import: 'default' });

/** The messages of a help page in the language shown; reactive like `m`. */
export const loadHelp = <S extends keyof HelpSets>(set: S): Promise<HelpSets[S]> => FILES[`../paraglide/${set}/messages/${spoken.messages && locale}.js`]!() as Promise<HelpSets[S]>;
