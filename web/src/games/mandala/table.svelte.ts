// What happens at one table in the browser: which picture is shown, what is held and pointed at, and the queue that plays
// each step's pictures in order. Decides nothing about rules: everything it offers comes from the view's choices.
import { tick } from 'svelte';
import { m, withSet } from '../../lib/i18n';
import type { MandalaChoice, MandalaForecast, MandalaRefusal } from '../../lib/wire';
import { isPaused, isTalk } from '../../lib/turn';
import type { Drag, PointerLike } from '../drag';
import { of } from './counts';
import type { Names } from './describe';
import { marks, touchedBy } from './marks';
import { NOTHING, back, checked, choiceAt, chosen, selectionOf, targets, type Place, type Selection } from './selection';
import type { Traveller } from './travel';
import type { Frame, GameEvent, Session, Step, View } from './types';

/** When the table has stood for so long, in milliseconds, what is needed later is fetched. */
const SOON = 1500;

export class Table {
  readonly session: Session;
  readonly names: Names;
  /** The picture on the table; lags behind the session while a step is played. The shell sees it too. */
  get shown(): View | null {
    return this.session.shown;
  }
  set shown(view) {
    if (!this.#left) this.session.shown = view;
  }
  /** Cards in the air, and how many of each place's newest cards are still on their way ("m-0 R" -> 2). */
  flying = $state.raw<Traveller[]>([]);
  landing = $state.raw<Record<string, number>>({});
  /** How many of each colour the viewer has just drawn: they lie last among theirs, and are marked until a card is taken up. */
  fresh = $state.raw<Readonly<Record<string, number>>>({});
  /** The event being played. */
  event = $state.raw<GameEvent | null>(null);
  playing = $state(false);
  /** What the live region says. */
  said = $state('');
  /** An answer to the last touch: why something is forbidden. */
  word = $state('');
  drag = $state.raw<Drag<{ readonly colour: string; readonly count: number }> | null>(null);
  /** What lies open over the table: a seat's cup, or the piles. */
  sheet = $state.raw<number | 'd' | null>(null);
  /** What shows steps picture by picture; null until the first one comes. */
  motion = $state.raw<typeof import('./motion') | null>(null);
  /** The place under the pointer or focus. */
  hover = $state<Place | null>(null);
  root: HTMLElement | null = null;
  canvas: HTMLCanvasElement | null = null;

  #held = $state.raw<Selection>(NOTHING);
  readonly #steps: { step: Step | null; view: View | null }[] = [];
  /** Whether everything that waits is shown at once. */
  hasty = false;
  #rested: (() => void) | null = null;
  #left = false;

  constructor(session: Session, names: Names) {
    this.session = session;
    this.names = names;
    this.shown = session.view;
  }

  /** The viewer's seat, and the seat drawn at the bottom. */
  me = $derived.by(() => this.session.info?.you ?? null);
  bottom = $derived(this.me ?? 0);
  marks = $derived.by(() => (this.session.highlight ? touchedBy(this.session.highlight) : marks(this.session.log, this.me)));
  /** The places that the log's reader asked to see: "m-0". */
  pointed = $derived.by(() => new Set([...touchedBy(this.session.highlight)].map((mark) => mark.split(' ')[0]!)));
  paused = $derived.by(() => isPaused(this.session));
  /** Choices that can be acted upon now: none while pictures play, a move is on its way, or the game is paused. */
  choices = $derived.by<readonly MandalaChoice[]>(() => (this.me === null || this.playing || this.paused || this.session.pending ? [] : (this.session.view?.choices ?? [])));
  claiming = $derived(this.choices[0]?.kind === 'claim');
  /** What is held; a move on its way to the server stays in view. */
  held = $derived.by<Selection>(() => {
    const pending = this.session.pending;
    return pending ? selectionOf(pending.action, this.session.view?.choices ?? []) : checked(this.#held, this.choices, (c) => this.#inHand(c));
  });
  targets = $derived.by(() => targets(this.choices, this.held.colour, this.held.picks.length));
  /** The place whose consequence is previewed: pointed at by a tap, else hovered and legal. */
  aim = $derived.by<Place | null>(() => {
    if (this.hover && (this.drag?.moving || !this.held.place) && this.targets.get(this.hover)?.effect) return this.hover;
    return this.held.place;
  });
  preview = $derived.by(() => {
    const effect = this.aim ? (this.targets.get(this.aim)?.effect ?? null) : null;
    return effect ? { effect, choice: choiceAt(this.held, this.choices, this.aim)! } : null;
  });

  #inHand(colour: string): number {
    return this.me === null ? 0 : of(this.session.view?.sides[this.me]?.hand ?? '-', colour);
  }

  /** Hold something else; every new touch takes the last answer away. */
  hold(next: Selection): void {
    this.word = '';
    this.session.highlight = null;
    this.#dismissed = this.session.refusal;
    if (this.session.pending) return;
    this.#held = next;
    if (next.colour) this.fresh = {};
  }

  /** The cards held were brought to the other player's field. */
  foreign(): void {
    this.hold({ ...this.held, place: null });
    this.explain(m.mandala_no_foreign());
  }

  /** Say why something cannot be done, also to screen readers. */
  explain(text: string): void {
    this.session.highlight = null;
    this.word = text;
    this.say(text);
  }

  /** The table has changed: an answer to an earlier touch may not be true any more. */
  #past(): void {
    this.word = '';
    this.#dismissed = this.session.refusal;
  }

  say(text: string): void {
    // The same words twice are two announcements: an invisible mark makes them different.
    this.said = text && text === this.said ? `${text}\u00a0` : text;
  }

  back(): boolean {
    const had = this.held.colour !== null || this.word !== '' || this.session.highlight !== null;
    this.hold(back(this.held));
    return had;
  }

  /** Touch a place with cards held: point at it, or do it when it is pointed at already. */
  touch(place: Place): void {
    const target = this.targets.get(place);
    if (!target) return;
    if (target.refusal) {
      this.hold({ ...this.held, place: null });
      this.explain(this.whyNot(target.refusal));
    } else if (this.held.place === place) this.confirm();
    else this.hold({ ...this.held, place });
  }

  confirm(): void {
    const effect = chosen(this.held, this.choices);
    if (effect) this.session.act(effect.action);
  }

  /** What understands keys and drags, and answers in words; null until it has come. */
  #hands = $state.raw<typeof import('./hands') | null>(null);

  /** Why the colour held may not go somewhere, in words. */
  whyNot(refusal: MandalaRefusal): string {
    return this.#hands?.refusalInWords(refusal, this.held.colour ?? '') ?? '';
  }

  /** What happened in a step, or in one event, in words; empty before these have come. */
  told(step: Step): string {
    return this.#hands?.stepInWords(step, this.me, this.names) ?? '';
  }
  caption(event: GameEvent): string {
    return this.#hands?.eventInWords(event, this.me, this.names, true) ?? '';
  }
  /** That the game is paused, or that a move was taken back. */
  agreed = $derived.by(() => this.#hands?.agreed(this.session, this.names) ?? '');

  /** Let the hands do something, if need be when they have come. */
  withHands(work: (hands: typeof import('./hands')) => void): void {
    if (this.#hands) work(this.#hands);
    else void this.#fetch().then(() => this.#hands && work(this.#hands));
  }

  async #fetch(): Promise<void> {
    this.#hands = await withSet('mandala_more', import('./hands')).catch(() => null);
  }

  pick(event: PointerLike, colour: string, i: number): void {
    if (!this.#hands) return;
    const picks = this.held.colour === colour && this.held.picks.includes(i) ? this.held.picks : [i];
    this.drag = this.#hands.press(event, { colour, count: picks.length });
    this.#dragged = { colour, picks, place: null };
  }
  #dragged: Selection = NOTHING;

  /** Feed a pointer event to a drag in progress; `place` is the place under the pointer. The other player's fields are `''`. A drop is checked against the choices of this moment. */
  move(event: PointerLike, under: Place | '' | null): boolean {
    const place = under || null;
    if (!this.#hands) return false;
    const { drag, dropped } = this.#hands.follow(this.drag, event);
    if (drag?.moving && !this.drag?.moving) this.hold(this.#dragged);
    const lost = this.drag?.moving && !drag;
    this.drag = drag;
    this.hover = drag?.moving ? place : lost ? null : this.hover;
    if (!dropped) return Boolean(lost);
    if (place && this.targets.get(place)) {
      this.touch(place);
      this.confirm();
    } else if (under === '') this.foreign();
    return true;
  }

  /** Listen to the session; returns the way to stop. */
  start(): () => void {
    this.shown = this.session.view;
    void this.#fetch();
    // What a game in progress needs later is there before the connection can go.
    const soon = setTimeout(() => void Promise.all([import('./motion'), withSet('mandala_more', import('./Reckoning.svelte'))]).catch(() => undefined), SOON);
    const deaf = this.session.subscribe((frame) => this.#hear(frame));
    return () => {
      clearTimeout(soon);
      deaf();
      this.#steps.length = 0;
      this.#hurryOn();
      this.#left = true;
    };
  }

  #hear(frame: Frame): void {
    if (frame.t === 'update' && !this.playing && isTalk(frame.step)) return void (this.shown = frame.view);
    this.#past();
    if (frame.t === 'snapshot') {
      this.fresh = {};
      this.#steps.splice(0, Infinity, ...(this.playing ? [{ step: null, view: frame.view }] : []));
      this.#hurryOn();
      if (!this.playing) this.shown = frame.view;
      return;
    }
    this.#steps.push({ step: frame.step, view: frame.view });
    this.session.highlight = null;
    const me = this.me;
    this.withHands(() => {
      const text = this.told(frame.step) || (frame.step.kind === 'undone' && this.agreed);
      if (text) this.say(text);
    });
    if (frame.step.seat !== me) this.#held = NOTHING;
    if (!this.playing) void this.#play();
  }

  async #play(): Promise<void> {
    this.playing = true;
    // A browser that cannot get it now shows the newest picture, but no way there.
    this.motion ??= await withSet('mandala_more', import('./motion')).catch(() => null);
    await tick();
    if (this.motion) await this.motion.play(this, this.#steps);
    else this.shown = this.#steps.splice(0).at(-1)?.view ?? this.shown;
    this.hasty = false;
    this.#held = NOTHING;
    this.#past();
    this.event = null;
    this.playing = false;
  }

  /** Resolves with the work, or when somebody is in a hurry. */
  unlessHurried(work: Promise<unknown> | undefined): Promise<unknown> {
    return Promise.race([work, new Promise<void>((resolve) => (this.#rested = resolve))]);
  }

  #hurryOn(): void {
    this.hasty = this.playing;
    this.#rested?.();
  }

  /** Skip what is being played: the newest picture at once. */
  skip(): void {
    if (this.playing) this.#hurryOn();
  }

  /** Whether the previewed move would complete a mandala in which nothing could be kept: the one real danger. */
  danger = $derived.by(() => {
    const { effect } = this.preview ?? {};
    return Boolean(this.me !== null && effect?.completes && effect.forecast?.empty[this.me]);
  });

  /** The forecast to show for a mandala: of the previewed move if it touches it. */
  forecast(mandala: number): { forecast: MandalaForecast; missing: string; previewed: boolean } {
    const ground = this.shown!.mandalas[mandala]!;
    const { choice, effect } = this.preview ?? {};
    if (choice?.mandala === mandala && effect?.forecast) return { forecast: effect.forecast, missing: effect.missing ?? '', previewed: true };
    return { forecast: ground.forecast, missing: ground.missing, previewed: false };
  }

  #dismissed = $state.raw<unknown>(null);
  /** What the server's rules refused, in words, until the next touch; other refusals are the shell's to show. */
  refused = $derived.by(() => {
    const refusal = this.session.refusal;
    return refusal?.code === 'illegal' && refusal !== this.#dismissed ? (this.#hands?.refusedInWords(refusal) ?? '') : '';
  });
}
