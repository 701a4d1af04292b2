// Who the reader is to the server: a guest with a name of their choice.
import { api } from './api';
import type { Locale } from './i18n';

class Me {
  name = $state('');
  #asked: Promise<void> | null = null;

  /** Ask once; a server that cannot be reached leaves the name empty. */
  load(): Promise<void> {
    this.#asked ??= api.me().then(
      (me) => void (this.name = me.name),
      () => void (this.#asked = null),
    );
    return this.#asked;
  }

  /** Take another name. Raises `ApiFailure`. An empty wish changes nothing. */
  async rename(wish: string): Promise<void> {
    if (!wish.trim() || wish.trim() === this.name) return;
    this.name = (await api.changeMe({ name: wish.trim() })).name;
  }

  /** Tell the server the language, so that its first page is in it. */
  async speak(language: Locale): Promise<void> {
    await api.changeMe({ language }).catch(() => undefined);
  }
}

/** The reader. */
export const me = new Me();
