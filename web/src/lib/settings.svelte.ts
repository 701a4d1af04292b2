// What this browser's user prefers, kept in local storage, applied to the document at once and in every tab.
import { isLocale, pickLocale, type Locale } from './i18n';

export type Theme = 'auto' | 'light' | 'dark';
export type Motion = 'auto' | 'full' | 'reduced';

interface Stored {
  locale: Locale | null;
  theme: Theme;
  letters: boolean;
  motion: Motion;
  talk: boolean;
}

const KEY = 'sandriver.settings';

/** Read what was stored; anything unknown or damaged falls back to its default. */
function read(): Stored {
  let raw: Record<string, unknown> = {};
  try {
    raw = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, unknown>;
  } catch {
    // Storage may be forbidden or hold something else: the defaults do.
  }
  return {
    locale: isLocale(raw['locale']) ? raw['locale'] : null,
    theme: raw['theme'] === 'light' || raw['theme'] === 'dark' ? raw['theme'] : 'auto',
    letters: raw['letters'] === true,
    talk: raw['talk'] !== false,
    motion: raw['motion'] === 'full' || raw['motion'] === 'reduced' ? raw['motion'] : 'auto',
  };
}

const still = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)');

class Settings {
  #stored = $state.raw<Stored>(read());
  #still = $state(still?.matches ?? false);

  constructor() {
    still?.addEventListener('change', (event) => (this.#still = event.matches));
    globalThis.addEventListener?.('storage', (event) => {
      if (event.key === KEY) {
        this.#stored = read();
        this.apply();
      }
    });
  }

  /** The language to show: the chosen one, or the best of those that the browser asks for. */
  get locale(): Locale {
    return this.#stored.locale ?? pickLocale(navigator.languages);
  }
  set locale(value: Locale) {
    this.#set({ locale: value });
  }

  get theme(): Theme {
    return this.#stored.theme;
  }
  set theme(value: Theme) {
    this.#set({ theme: value });
  }

  /** Show each card's colour as a letter too. */
  get letters(): boolean {
    return this.#stored.letters;
  }
  set letters(value: boolean) {
    this.#set({ letters: value });
  }

  /** Whether what people say at tables is shown at all. */
  get talk(): boolean {
    return this.#stored.talk;
  }
  set talk(value: boolean) {
    this.#set({ talk: value });
  }

  get motion(): Motion {
    return this.#stored.motion;
  }
  set motion(value: Motion) {
    this.#set({ motion: value });
  }

  /** Whether things must not travel: the user's choice here, else the system's. */
  get reducedMotion(): boolean {
    return this.#stored.motion === 'auto' ? this.#still : this.#stored.motion === 'reduced';
  }

  /** Write the preferences to the document: attributes for the style sheets, a cookie with the language for the server's first page. */
  apply(): void {
    const root = document.documentElement;
    root.dataset['theme'] = this.theme;
    root.dataset['motion'] = this.motion;
    if (this.#stored.locale) document.cookie = `locale=${this.#stored.locale}; path=/; max-age=31536000; samesite=lax`;
  }

  #set(change: Partial<Stored>): void {
    this.#stored = { ...this.#stored, ...change };
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#stored));
    } catch {
      // Without storage the choice lasts as long as the page.
    }
    this.apply();
  }
}

/** The preferences. */
export const settings = new Settings();
