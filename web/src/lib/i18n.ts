// The messages of the language shown. Only that language is downloaded; a switch loads the other one and draws everything anew.
export type Locale = 'en' | 'pt-BR' | 'ja' | 'el';
/** Compiled messages as they are called: those without parameters take nothing. */
type Callable<M> = {
  readonly [K in keyof M]: M[K] extends (inputs: infer I) => unknown ? (keyof I extends never ? () => string : (inputs: { [P in keyof I]: string | number }) => string) : never;
};
export type Messages = Callable<typeof import('../paraglide/app/messages/en.js')>;
export type HelpMessages = Callable<typeof import('../paraglide/help/messages/en.js')>;

/** The languages, each by its own name. */
export const LOCALES: Readonly<Record<Locale, string>> = { en: 'English', 'pt-BR': 'Português (Brasil)', ja: '日本語', el: 'Ελληνικά' };

const LOADERS: Record<Locale, () => Promise<unknown>> = {
  en: () => import('../paraglide/app/messages/en.js'),
  'pt-BR': () => import('../paraglide/app/messages/pt-BR.js'),
  ja: () => import('../paraglide/app/messages/ja.js'),
  el: () => import('../paraglide/app/messages/el.js'),
};

const HELP_LOADERS: Record<Locale, () => Promise<unknown>> = {
  en: () => import('../paraglide/help/messages/en.js'),
  'pt-BR': () => import('../paraglide/help/messages/pt-BR.js'),
  ja: () => import('../paraglide/help/messages/ja.js'),
  el: () => import('../paraglide/help/messages/el.js'),
};

/** Every message as a function: `m.home_title()`. Bound anew by `loadLocale`, so never keep a copy of it. */
export let m: Messages;

/** The language that `m` speaks. */
export let locale: Locale = 'en';

/** Load a language's messages; afterwards `m` and the document speak it. */
export async function loadLocale(wanted: Locale): Promise<void> {
  m = (await LOADERS[wanted]()) as Messages;
  locale = wanted;
  document.documentElement.lang = wanted;
}

/** The messages of the help pages in the language shown. */
export const loadHelp = (): Promise<HelpMessages> => HELP_LOADERS[locale]() as Promise<HelpMessages>;

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
