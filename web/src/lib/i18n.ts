// The messages of the language shown. Only that language is downloaded; a switch loads the other one and rewrites every text in its place.
import { spoken } from './spoken.svelte';

export type Locale = 'en' | 'pt-BR' | 'ja' | 'el';
/** Compiled messages as they are called: those without parameters take nothing. */
export type Callable<M> = {
  readonly [K in keyof M]: M[K] extends (inputs: infer I) => unknown ? (keyof I extends never ? () => string : (inputs: { [P in keyof I]: string | number }) => string) : never;
};
export type Messages = Callable<
  (typeof import('../paraglide/app/messages/en.js'))['default'] &
    (typeof import('../paraglide/lobby/messages/en.js'))['default'] &
    (typeof import('../paraglide/mandala/messages/en.js'))['default'] &
    (typeof import('../paraglide/mandala_more/messages/en.js'))['default'] &
    (typeof import('../paraglide/stones/messages/en.js'))['default'] &
    (typeof import('../paraglide/stones_more/messages/en.js'))['default'] &
    (typeof import('../paraglide/stones_faults/messages/en.js'))['default'] &
    (typeof import('../paraglide/together/messages/en.js'))['default'] &
    (typeof import('../paraglide/replay/messages/en.js'))['default']
>;
/** The languages, each by its own name. */
export const LOCALES: Readonly<Record<Locale, string>> = { en: 'English', 'pt-BR': 'Português (Brasil)', ja: '日本語', el: 'Ελληνικά' };

// Those of the pages of rules are not here, for every page loads this list (`help/words.ts`).
const FILES = import.meta.glob<object>(['../paraglide/*/messages/{en,pt-BR,ja,el}.js', '!**/*help/**'], { import: 'default' });
const load = (set: string, wanted: Locale): Promise<object> => FILES[`../paraglide/${set}/messages/${wanted}.js`]!();

/** Every message as a function: `m.home_title()`; those of a game once it is loaded. Reactive: never keep a text where it is not derived. */
export const m = new Proxy({} as Messages, { get: (_, name) => Reflect.get(spoken.messages, name) });

/** Whether a message of a set that comes later is there yet; reactive like `m`. */
export const speaks = (name: keyof Messages): boolean => Object.hasOwn(spoken.messages, name);

/** The language that `m` speaks. */
export let locale: Locale = 'en';

/** What is loaded: the shell's messages, those of the lobby, and those of the games that were opened. */
const sets = new Set(['app']);
let asked: Locale = locale;
let newest: Promise<void> | null = null;

/** Load a language's messages; afterwards `m` and the document speak it, unless another one was asked for meanwhile. */
export function loadLocale(wanted: Locale): Promise<void> {
  if (wanted !== asked) newest = null;
  asked = wanted;
  return (newest ??= speak(wanted));
}

/** Load a further set of messages in the language shown: those of a game's table, or of the lobby. */
export function loadSet(set: string): Promise<void> {
  if (!sets.has(set)) newest = null;
  sets.add(set);
  return (newest ??= speak(asked));
}

/** A module and the set of messages it speaks with, loaded side by side. */
export async function withSet<T>(set: string, module: Promise<T>): Promise<T> {
  const [found] = await Promise.all([module, loadSet(set)]);
  return found;
}

async function speak(wanted: Locale): Promise<void> {
  try {
    const loaded = await Promise.all([...sets].map((set) => load(set, wanted)));
    if (newest && (wanted !== asked || loaded.length !== sets.size)) return newest;
    locale = wanted;
    spoken.messages = Object.assign({}, ...loaded) as object;
    document.documentElement.lang = wanted;
  } catch (failure) {
    newest = null;
    throw failure;
  }
}

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
