// Development page: a session that plays recorded frames instead of talking to a server.
import { mount } from 'svelte';
import { isLocale, loadLocale } from '../src/lib/i18n';
import type { FrameListener } from '../src/lib/session';
import { settings } from '../src/lib/settings.svelte';
import type { MandalaEvent, MandalaView, Refused, TableInfo } from '../src/lib/wire';
import '../src/styles/tokens.css';
import '../src/styles/base.css';
import { Scene } from '../src/games/mandala';
import type { Frame, Session, Step, View } from '../src/games/mandala/types';
import Preview from '../src/games/mandala/Preview.svelte';

const query = new URLSearchParams(location.search);
const frames = (await (await fetch('./frames.json')).json()) as Frame[];

class Recorded implements Session {
  info = $state.raw<TableInfo | null>(null);
  options = $state.raw<Session['options']>({});
  view = $state.raw<View | null>(null);
  shown = $state.raw<View | null>(null);
  log = $state.raw<Step[]>([]);
  connection = $state<Session['connection']>('live');
  pending = $state.raw<Session['pending']>(null);
  refusal = $state.raw<Refused | null>(null);
  online = $state.raw([true, true]);
  spectators = $state(0);
  highlight = $state.raw<Step | null>(null);
  at = 0;
  #listeners = new Set<FrameListener<MandalaView, MandalaEvent>>();

  /** Show frame `at` without playing. */
  jump(at: number): void {
    this.at = Math.min(at, frames.length - 1);
    const frame = frames[this.at]!;
    this.info = query.has('spectator') ? { ...frame.table, you: null } : query.has('bot') ? { ...frame.table, seats: [frame.table.seats[0]!, { kind: 'bot', name: 'apprentice', online: true }] } : frame.table;
    // ?late: the notices that come late in a game.
    this.view = query.has('late') && frame.view ? { ...frame.view, last_mandala: true, redraws: 12 } : frame.view;
    // ?resigned: as if the other player had given up now.
    if (query.has('resigned')) this.info = { ...this.info!, state: 'over', ended_by: 'resigned', winners: [0] };
    this.log = frames.slice(1, this.at + 1).map((f) => ('step' in f ? f.step : null)!);
  }
  next(): void {
    if (this.at + 1 >= frames.length) return;
    this.jump(this.at + 1);
    for (const listener of this.#listeners) listener(frames[this.at]!);
  }
  act(action: string): void {
    this.pending = { id: 'demo', action };
    setTimeout(() => {
      this.pending = null;
      this.next();
    }, Number(query.get('wait') ?? 200));
  }
  resign(): void {}
  rematch(): void {}
  hurry(): void {
    this.next();
  }
  subscribe(listener: FrameListener<MandalaView, MandalaEvent>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

settings.theme = query.get('theme') === 'dark' ? 'dark' : 'light';
settings.letters = query.has('letters');
settings.motion = query.has('still') ? 'reduced' : 'full';
settings.apply();
const lang = query.get('lang') ?? 'en';
await loadLocale(isLocale(lang) ? lang : 'en');
const session = new Recorded();
session.jump(Number(query.get('at') ?? 0));
Object.assign(window, { session, frames });
if (query.has('preview')) mount(Preview, { target: document.getElementById('app')! });
else mount(Scene, { target: document.getElementById('app')!, props: { session } });
