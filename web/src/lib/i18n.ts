// The messages of the language shown. Only that language is downloaded; a switch loads the other one and draws everything anew.
export type Locale = 'en' | 'pt-BR' | 'ja' | 'el';
/** Compiled messages as they are called: those without parameters take nothing. */
type Callable<M> = {
  readonly [K in keyof M]: M[K] extends (inputs: infer I) => unknown ? (keyof I extends never ? () => string : (inputs: { [P in keyof I]: string | number }) => string) : never;
};
export type Messages = Callable<
  (typeof import('../paraglide/app/messages/en.js'))['default'] &
    (typeof import('../paraglide/mandala/messages/en.js'))['default'] &
    (typeof import('../paraglide/stones/messages/en.js'))['default']
>;
export type HelpMessages = Callable<(typeof import('../paraglide/help/messages/en.js'))['default']>;

/** The languages, each by its own name. */
export const LOCALES: Readonly<Record<Locale, string>> = { en: 'English', 'pt-BR': 'Português (Brasil)', ja: '日本語', el: 'Ελληνικά' };

const FILES = import.meta.glob<object>('../paraglide/*/messages/{en,pt-BR,ja,el}.js', { import: 'default' });
const load = (set: string, wanted: Locale): Promise<object> => FILES[`../paraglide/${set}/messages/${wanted}.js`]!();

/** Every message as a function: `m.home_title()`; those of a game once it is loaded. Bound anew by `loadLocale` and `loadGame`, so never keep a copy of it. */
export let m: Messages;

/** The language that `m` speaks. */
export let locale: Locale = 'en';

/** What `m` is made of: the shell's messages, and those of the games that were opened. */
const sets = new Set(['app']);

/** Load a language's messages; afterwards `m` and the document speak it. */
export async function loadLocale(wanted: Locale): Promise<void> {
  m = Object.assign({}, ...(await Promise.all([...sets].map((set) => load(set, wanted))))) as Messages;
  locale = wanted;
  document.documentElement.lang = wanted;
}

/** Load the messages of a game's table in the language shown. */
export async function loadGame(game: string): Promise<void> {
  sets.add(game);
  await loadLocale(locale);
}

/** The messages of the help pages in the language shown. */
export const loadHelp = (): Promise<HelpMessages> => load('help', locale) as Promise<HelpMessages>;

/** The first language of `wanted` (as browsers give them, best first) that there is here; English if none. */
export function pickLocale(wanted: readonly string[]): Locale {
  for (const tag of wanted) {
    const [language] = tag.toLowerCase().split('-');
    const found = (Object.keys(LOCALES) as Locale[]).find((known) => known.toLowerCase().split('-')[0] === language);
    if (found) return found;
  }
  return 'en';
}

/** Whether `value` names a language there is here. */
export const isLocale = (value: unknown): value is Locale => typeof value === 'string' && Object.hasOwn(LOCALES, value);
