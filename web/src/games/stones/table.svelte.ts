// What happens at one table of Mandala Stones in the browser: which picture is shown, what is chosen so far, why a wish cannot be,
// and the queue that plays each step's pictures in order. Decides nothing about rules: all it offers comes from the view's choices.
import { tick } from 'svelte';
import { withSet } from '../../lib/i18n';
import { isPaused, isTalk } from '../../lib/turn';
import type { Drag, PointerLike } from '../drag';
import { gainOf, type Names } from './describe';
import { marks, touchedBy } from './marks';
import { rulesetOf } from './ruleset';
import { NOTHING, actionOf, checked, destinations, pickOf, selectionOf, towerOf, type Selection } from './selection';
import type { Beat } from './stage';
import type { Frame, Session, Step, StonesEvent, StonesPick, StonesRefusal, StonesView } from './types';

/** Stones that the mandala has not got yet, and points that a player has not. */
export interface Air {
  readonly seat: number;
  readonly stones: number;
  readonly points: number;
  /** The own space whose tower is on its way. */
  readonly tower?: number;
}

/** What is drawn: the artist on a space, or the tower that is previewed. */
export type Dragged = { readonly kind: 'artist'; readonly n: number } | { readonly kind: 'tower' };

/** What a drop can land on. */
export type Place = { readonly kind: 'artist' | 'space'; readonly n: number };

type Hands = typeof import('./hands');
/** When the table has stood for so long, in milliseconds, what is needed later is fetched. */
const SOON = 1500;

export class StonesTable {
  readonly session: Session;
  readonly names: Names;
  /** The picture on the table; lags behind the session while a step is played. The shell sees it too. */
  get shown(): StonesView | null {
    return this.session.shown;
  }
  set shown(view) {
    if (!this.#left) this.session.shown = view;
  }
  /** The beat being played, for travel and captions. */
  beat = $state.raw<Beat | null>(null);
  playing = $state(false);
  /** What has not landed of it. */
  air = $state.raw<Air | null>(null);
  /** What the others touched, as far as it has been shown. */
  seen = $state.raw<ReadonlySet<string>>(new Set());
  /** What the live region says. */
  said = $state('');
  /** The answer to the last touch: which rule forbids it, or the move that is no pick. */
  answered = $state.raw<StonesRefusal | StonesPick | null>(null);
  drag = $state.raw<Drag<Dragged> | null>(null);
  /** Artist space under the pointer or focus, whose yields are previewed before it is chosen. */
  over = $state<number | null>(null);
  /** Which seat's board lies open over the table (where there is no room for all), or the own objectives. */
  sheet = $state.raw<number | 'objectives' | null>(null);
  root: HTMLElement | null = null;

  #held = $state.raw<Selection>(NOTHING);
  readonly #steps: { step: Step | null; view: StonesView | null }[] = [];
  /** Whether everything that waits is shown at once. */
  hasty = false;
  /** Until the viewer's next turn everybody else's is shown at once. */
  rushed = false;
  #rested: (() => void) | null = null;
  #left = false;

  constructor(session: Session, names: Names) {
    this.session = session;
    this.names = names;
    this.shown = session.view;
  }

  /** The picture shown; only read where there is one. */
  get view(): StonesView {
    return this.shown!;
  }

  /** An own or other tower as far as it has arrived. */
  stands(seat: number, space: number): string {
    return this.air?.seat === seat && this.air.tower === space ? '' : this.view.sides[seat]!.towers[space - 1]!;
  }

  /** A seat whose person gave up, ran out of time or stays away, and for whom a bot plays on. */
  standIn(seat: number): boolean {
    const { info } = this.session;
    const { kind, resigned, flagged, absent } = info?.seats[seat] ?? {};
    return info?.state === 'running' && kind === 'person' && Boolean(resigned || flagged || absent);
  }

  /** A seat's points: those in the air do not count yet. */
  score(seat: number): number {
    return this.view.sides[seat]!.score - (this.air?.seat === seat ? this.air.points : 0);
  }

  /** The viewer's seat, the seat drawn at the bottom, and the others in turn order from there. */
  mine = $derived.by(() => this.session.info?.you ?? null);
  bottom = $derived(this.mine ?? 0);
  rivals = $derived.by(() => {
    const seats = this.shown?.sides.length ?? 0;
    return Array.from({ length: Math.max(0, seats - 1) }, (_, i) => (this.bottom + 1 + i) % seats);
  });
  /** Anchors that the others' moves touched since the viewer's own, or what the log points at. */
  last = $derived.by(() => (this.session.highlight ? touchedBy(this.session.highlight) : this.playing ? this.seen : marks(this.session.log, this.mine)));
  /** The artist that is chosen for another space, until it has been seen to go there. */
  way = $derived.by(() => this.went ?? (this.chosen.artist !== null && this.chosen.to !== null ? { from: this.chosen.artist, to: this.chosen.to } : null));
  went = $state.raw<{ readonly from: number; readonly to: number } | null>(null);
  /** What happens, in words, while pictures play. */
  caption = $state('');
  /** How many stones lie in the mandala: those in the air do not yet. */
  placed = $derived.by(() => this.view.mandala.stones.length - (this.air?.stones ?? 0));
  paused = $derived.by(() => isPaused(this.session));
  /** Choices that can be acted upon now: none while pictures play, a move is on its way, or the game is paused. */
  choices = $derived.by(() => (this.mine === null || this.playing || this.paused || this.session.pending ? null : (this.session.view?.choices ?? null)));

  /** What is chosen; a move on its way to the server stays in view. */
  held = $derived.by<Selection>(() => {
    const pending = this.session.pending;
    return pending ? selectionOf(pending.action) : checked(this.choices, this.#held);
  });
  chosen = $derived(this.held.chosen);
  scoring = $derived(this.held.scoring);
  /** What the choices say about what is held: also while it is on its way, but not ahead of the pictures. */
  known = $derived.by(() => (this.playing || this.paused ? null : (this.session.view?.choices ?? null)));
  destinations = $derived.by(() => destinations(this.known, this.chosen.artist));
  /** The destination whose stacks are marked: the one chosen, else the one pointed at. */
  aim = $derived.by(() => this.chosen.to ?? (this.over !== null && this.destinations.some((d) => d.to === this.over) ? this.over : null));
  yields = $derived.by(() => pickOf(this.known, this.chosen.artist, this.aim)?.yields ?? []);
  /** The tower that would be gained, bottom to top; empty while the first stone is open. */
  tower = $derived.by(() => towerOf(this.known, this.chosen));
  /** Own spaces on which the tower could stand; none before the tower is known. */
  spaces = $derived.by(() => (this.tower ? (this.known?.spaces ?? []) : []));
  /** What the chosen way to score would pay, stone by stone. */
  gain = $derived.by(() => gainOf(this.known, this.scoring));
  /** The action that a confirmation would send. */
  ready = $derived.by(() => actionOf(this.choices, this.session.view?.legal ?? [], this.held));
  /** What is chosen so far, and what to choose next, in words. */
  choosing = $derived.by(() => this.#hands?.choosing(this) ?? '');
  /** What each own empty space would pay for the tower in hand. */
  worth = $derived.by(() => this.#hands?.worth(this) ?? {});
  /** Why the last wish cannot be, until the next touch. */
  message = $derived.by(() => {
    const [answer, hands, { refusal, options }] = [this.answered, this.#hands, this.session];
    if (!hands) return '';
    if (!answer) return refusal?.code === 'illegal' && refusal !== this.#dismissed ? hands.refusedInWords(refusal) : '';
    if ('yields' in answer) return hands.whyNot(answer);
    return answer.code === 'how_it_pays' ? hands.howItPays(Number(answer.params['space']), rulesetOf(options)) : hands.why(answer.code, answer.params);
  });
  #dismissed = $state.raw<unknown>(null);
  /** What understands touches, keys and drags, and answers in words; null until it has come. */
  #hands = $state.raw<Hands | null>(null);

  /** What touches mean is in the hands; the first ones may still have to wait for them. */
  artist = (space: number): void => this.withHands((hands) => hands.artist(this, space));
  stack = (stack: number): void => this.withHands((hands) => hands.stack(this, stack));
  space = (n: number): void => this.withHands((hands) => hands.space(this, n));
  colour = (colour: string): void => this.withHands((hands) => hands.colour(this, colour));
  tops = (): void => this.withHands((hands) => hands.tops(this));

  confirm(): void {
    if (this.ready) this.session.act(this.ready);
  }

  /** Choose something else; every new touch takes the last answer away. */
  hold(next: Selection): void {
    this.answered = null;
    this.session.highlight = null;
    this.#dismissed = this.session.refusal;
    if (!this.session.pending) this.#held = next;
  }

  /** Say which rule forbids the last wish: its code, or the move that is no pick. */
  refuse(code: string, params?: StonesRefusal['params'], pick?: StonesPick): void {
    this.session.highlight = null;
    this.#dismissed = this.session.refusal;
    this.answered = pick ?? { code, params: params ?? {} };
    this.say(this.message);
  }

  /** What happened in a step, in words; empty before these have come. */
  told(step: Step): string {
    return this.#hands?.stepInWords(step, this.mine, this.names) ?? '';
  }

  /** That the game is paused, or that a move was taken back. */
  agreed = $derived.by(() => this.#hands?.agreed(this.session, this.names) ?? '');

  /** Let the hands do something, if need be when they have come. */
  withHands(work: (hands: Hands) => void): void {
    if (this.#hands) work(this.#hands);
    else void this.#fetch().then(() => this.#hands && work(this.#hands));
  }

  async #fetch(): Promise<void> {
    this.#hands = await withSet('stones_more', import('./hands')).catch(() => null);
  }

  /** The table has changed: an answer to an earlier touch may not be true any more. */
  #past(): void {
    this.answered = null;
    this.#dismissed = this.session.refusal;
  }

  say(text: string): void {
    // The same words twice are two announcements: an invisible mark makes them different.
    this.said = text && text === this.said ? `${text}\u00a0` : text;
  }

  /** A press that may become a drag: of an artist, or of the tower that is previewed. */
  grip(event: PointerLike, what: Dragged): void {
    if (this.choices && this.#hands) this.drag = this.#hands.press(event, what);
  }

  /** Feed a pointer event to a drag in progress; `place` is what lies under the pointer. Says whether it was no tap. */
  move(event: PointerLike, place: Place | null): boolean {
    return this.#hands?.move(this, event, place) ?? false;
  }

  /** Listen to the session; returns the way to stop. */
  start(): () => void {
    this.shown = this.session.view;
    void this.#fetch();
    // What a game in progress needs later is there before the connection can go.
    const soon = setTimeout(() => void Promise.all([import('./motion'), withSet('stones_more', import('./Reckoning.svelte'))]).catch(() => undefined), SOON);
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
    const { view } = frame;
    if (frame.t === 'snapshot') {
      this.#past();
      this.#steps.splice(0, Infinity, ...(this.playing ? [{ step: null, view }] : []));
      this.#hurryOn();
      if (!this.playing) this.shown = view;
      return;
    }
    const { step } = frame;
    if (!this.playing && isTalk(step)) return void (this.shown = view);
    this.#steps.push({ step, view });
    this.withHands(() => {
      const text = this.told(step) || (step.kind === 'undone' && this.agreed);
      if (text) this.say(text);
    });
    this.#held = NOTHING;
    this.#past();
    this.session.highlight = null;
    const mover = this.session.info?.state === 'running' ? (view?.to_move ?? null) : null;
    if (mover === null || mover === this.mine) this.rushed = false;
    else if (this.rushed) this.session.hurry();
    if (this.playing) return;
    this.went = null;
    for (const event of step.seat === this.mine ? (step.events ?? []) : []) if (event.type === 'move') this.went = { from: event.origin, to: event.to };
    this.tell(...(step.events ?? []));
    void this.#play();
  }

  /** The first of these events that needs words becomes the caption. */
  tell(...events: readonly (StonesEvent | null)[]): void {
    this.caption = events.map((event) => event && this.#hands?.eventInWords(event, this.mine, this.names)).find(Boolean) || this.caption;
  }

  async #play(): Promise<void> {
    this.look(this.#steps[0]!.step);
    this.playing = true;
    // A browser that cannot get it now shows the newest picture, but no way there.
    const motion = await import('./motion').catch(() => null);
    await tick();
    if (motion) await motion.play(this, this.#steps);
    else this.shown = this.#steps.splice(0).at(-1)?.view ?? this.shown;
    this.hasty = false;
    this.beat = null;
    this.caption = '';
    this.playing = false;
  }

  /** Before a step is shown: what was marked before it, which the viewer's own moves take away. */
  look(step: Step | null): void {
    const log = this.session.log;
    this.seen = step?.seat != null && step.seat === this.mine ? new Set() : marks(step ? log.filter(({ v }) => v < step.v) : log, this.mine);
  }

  /** Resolves with the work, or when somebody is in a hurry. */
  unlessHurried(work: Promise<unknown> | undefined): Promise<unknown> {
    return Promise.race([work, new Promise<void>((resolve) => (this.#rested = resolve))]);
  }

  #hurryOn(): void {
    this.hasty = this.playing;
    this.#rested?.();
  }

  /** Wait for nobody: every picture at once, until it is the viewer's turn. */
  rush(): void {
    this.rushed = true;
    this.session.hurry();
    this.skip();
  }

  /** Skip what is being played: the newest picture at once. */
  skip(): void {
    if (this.playing) this.#hurryOn();
  }
}
