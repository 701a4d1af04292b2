// What happens at one table of Mandala Stones in the browser: which picture is shown, what is chosen so far, why a wish cannot be,
// and the queue that plays each step's pictures in order. Decides nothing about rules: all it offers comes from the view's choices.
import { tick } from 'svelte';
import { withSet } from '../../lib/i18n';
import { settings } from '../../lib/settings.svelte';
import { gainOf, stepInWords, type Names } from './describe';
import { follow, press, type Drag, type Dragged, type PointerLike } from './drag';
import { marks, touchedBy } from './marks';
import { rulesetOf } from './ruleset';
import { NOTHING, actionOf, back, checked, destinations, pickOf, picking, selectionOf, settled, toScore, towerOf, type Selection } from './selection';
import type { Beat } from './stage';
import type { Frame, Session, Step, StonesPick, StonesRefusal, StonesView } from './types';

/** Shows a beat's travel: called before the picture changes, so that it can measure where things leave. */
export type Travel = (root: HTMLElement, beat: Beat) => Journey;
export interface Journey {
  /** Called when the new picture stands; resolves when everything has landed. */
  arrive(): Promise<unknown>;
  /** End it at once. */
  stop(): void;
}

/** What a drop can land on. */
export type Place = { readonly kind: 'artist' | 'space'; readonly n: number };

/** The rule behind what a stack says of itself. */
const YIELD = { empty: 'empty_stack', pattern: 'wrong_pattern', blocked: 'blocked' } as const;

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
  /** What the live region says. */
  said = $state('');
  /** The answer to the last touch: which rule forbids it, or the move that is no pick. */
  #answer = $state.raw<StonesRefusal | StonesPick | null>(null);
  drag = $state.raw<Drag | null>(null);
  /** Artist space under the pointer or focus, whose yields are previewed before it is chosen. */
  over = $state<number | null>(null);
  /** Which seat's board lies open over the table (where there is no room for all), or the own objectives. */
  sheet = $state.raw<number | 'objectives' | null>(null);
  root: HTMLElement | null = null;
  /** What shows steps picture by picture; null until the first one comes. */
  motion: typeof import('./motion') | null = null;

  #held = $state.raw<Selection>(NOTHING);
  #steps: { step: Step | null; view: StonesView | null }[] = [];
  #hasty = false;
  #rested: (() => void) | null = null;
  #quiet = 0;
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

  /** The viewer's seat, the seat drawn at the bottom, and the others in turn order from there. */
  mine = $derived.by(() => this.session.info?.you ?? null);
  bottom = $derived(this.mine ?? 0);
  rivals = $derived.by(() => {
    const seats = this.shown?.sides.length ?? 0;
    return Array.from({ length: Math.max(0, seats - 1) }, (_, i) => (this.bottom + 1 + i) % seats);
  });
  /** Anchors that the others' moves touched since the viewer's own, or what the log points at. */
  last = $derived.by(() => (this.session.highlight ? touchedBy(this.session.highlight) : marks(this.session.log, this.mine)));
  /** Choices that can be acted upon now: none while pictures play or a move is on its way. */
  choices = $derived.by(() => (this.mine === null || this.playing || this.session.pending ? null : (this.session.view?.choices ?? null)));
  myTurn = $derived.by(() => this.mine !== null && this.session.view?.to_move === this.mine && this.session.info?.state === 'running');

  /** What is chosen; a move on its way to the server stays in view. */
  held = $derived.by<Selection>(() => {
    const pending = this.session.pending;
    return pending ? selectionOf(pending.action) : checked(this.choices, this.#held);
  });
  chosen = $derived(this.held.chosen);
  scoring = $derived(this.held.scoring);
  /** What the choices say about what is held: also while it is on its way. */
  known = $derived.by(() => this.session.view?.choices ?? null);
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
  /** Why the last wish cannot be, until the next touch. */
  message = $derived.by(() => {
    const [answer, answers, { refusal, options }] = [this.#answer, this.#answers, this.session];
    if (!answers) return '';
    if (!answer) return refusal?.code === 'illegal' && refusal !== this.#dismissed ? answers.refusedInWords(refusal) : '';
    if ('yields' in answer) return answers.whyNot(answer);
    return answer.code === 'how_it_pays' ? answers.howItPays(Number(answer.params['space']), rulesetOf(options)) : answers.why(answer.code, answer.params);
  });
  #dismissed = $state.raw<unknown>(null);
  /** What puts answers into words; null until it has come. */
  #answers = $state.raw<typeof import('./answers') | null>(null);

  /** Touch an artist space: choose its artist, put it down again, or bring the chosen one there. */
  artist(space: number): void {
    if (!this.#asked()) return;
    if (!this.view.artists.some((a) => a.space === space)) return this.destination(space);
    if (this.chosen.artist === space) return this.hold(NOTHING);
    if (!this.choices!.spaces.length) return this.#refuse('board_full');
    this.hold(picking({ artist: space }));
  }

  /** Touch a vacant artist space. */
  destination(to: number): void {
    if (!this.#asked()) return;
    const { artist } = this.chosen;
    if (artist === null) return this.#refuse('choose_artist');
    const pick = pickOf(this.choices, artist, to);
    if (!pick) return this.#refuse(artist === to ? 'must_move' : 'space_occupied');
    if (pick.refusal) {
      this.hold(picking({ artist }));
      this.over = to;
      return this.#refuse('', {}, pick);
    }
    this.hold(picking(settled(this.choices, { artist, to, first: null, space: null })));
  }

  /** Touch a stack: choose the first stone, or hear why there is none to have. */
  stack(stack: number): void {
    if (!this.#asked()) return;
    const { artist, to } = this.chosen;
    const pick = pickOf(this.choices, artist, to);
    if (!pick) return this.#refuse(artist === null ? 'choose_artist' : 'choose_space');
    const given = pick.yields.find((y) => y.stack === stack);
    if (!given) return this.#refuse('not_beside');
    if (given.refusal) return this.#refuse(YIELD[given.refusal], { artist: given.blocker ?? 0 });
    // Touching the bottom stone once more can only mean: not this one.
    if (this.chosen.first === stack) return this.#refuse('no_decline');
    this.hold(picking(settled(this.choices, { artist, to, first: stack, space: null })));
  }

  /** Touch an own space: put the tower there, do it when it stands there already, score the tower on it, or hear how it pays. */
  space(n: number): void {
    const idle = this.chosen.to === null && this.mine !== null && !this.playing;
    if (idle && this.scoring?.kind !== 'tops' && !this.view.sides[this.mine!]!.towers[n - 1]) return this.#refuse('how_it_pays', { space: n });
    if (!this.#asked()) return;
    const { to, first, space } = this.chosen;
    const taken = this.view.sides[this.mine!]!.towers[n - 1] !== '';
    if (to === null) return taken ? this.top(n) : this.#refuse('no_tower');
    if (taken) return this.#refuse('space_taken');
    if (first === null) return this.#refuse('choose_first');
    if (space === n) return this.confirm();
    this.hold(picking({ ...this.chosen, space: n }));
  }

  /** Choose a colour to score; again: do it. */
  colour(colour: string): void {
    if (!this.#asked()) return;
    const refusal = this.choices!.colours.find((c) => c.colour === colour)?.refusal;
    if (refusal) return this.#refuse(refusal.code, refusal.params);
    if (this.scoring?.kind === 'colour' && this.scoring.colour === colour) return this.confirm();
    this.hold(toScore({ kind: 'colour', colour }));
  }

  /** Choose single tops to score, none at first; again: do it, or let go of none. */
  tops(): void {
    if (!this.#asked()) return;
    if (!this.choices!.tops.length) return this.#refuse('no_tower');
    if (this.scoring?.kind === 'tops' && this.scoring.spaces.length) return this.confirm();
    this.hold(this.scoring?.kind === 'tops' ? NOTHING : toScore({ kind: 'tops', spaces: [] }));
  }

  /** Touch the top of an own tower: add or leave it out among single tops; else score its colour if that can be, or this one stone. */
  top(n: number): void {
    if (!this.#asked()) return;
    const stone = this.view.sides[this.mine!]!.towers[n - 1]!.at(-1);
    if (!stone) return this.#refuse('no_tower');
    const { scoring } = this;
    if (scoring?.kind === 'tops') {
      const spaces = scoring.spaces.includes(n) ? scoring.spaces.filter((s) => s !== n) : [...scoring.spaces, n].sort();
      return this.hold(toScore({ kind: 'tops', spaces }));
    }
    const colour = stone.toUpperCase();
    if (scoring?.colour === colour) return this.#refuse('take_all', { colour });
    const whole = this.choices!.colours.find((c) => c.colour === colour && !c.refusal);
    this.hold(toScore(whole ? { kind: 'colour', colour } : { kind: 'tops', spaces: [n] }));
  }

  confirm(): void {
    if (this.ready) this.session.act(this.ready);
  }

  /** Let go of what was chosen last; says whether there was anything to let go of. */
  cancel(): boolean {
    const had = this.#held !== NOTHING || this.#answer !== null || this.session.highlight !== null;
    this.hold(back(this.choices, this.held));
    return had;
  }

  /** Choose something else; every new touch takes the last answer away. */
  hold(next: Selection): void {
    this.#answer = null;
    this.session.highlight = null;
    this.#dismissed = this.session.refusal;
    if (!this.session.pending) this.#held = next;
  }

  /** Whether a touch can mean a move now; if not, it is said why. A touch while pictures play only hurries them on. */
  #asked(): boolean {
    if (this.choices) return true;
    if (this.playing) this.skip();
    else if (this.mine !== null && !this.session.pending && this.shown?.phase !== 'over') this.#refuse('not_your_turn');
    return false;
  }

  #refuse(code: string, params?: StonesRefusal['params'], pick?: StonesPick): void {
    this.session.highlight = null;
    this.#dismissed = this.session.refusal;
    this.#answer = pick ?? { code, params: params ?? {} };
    if (this.#answers) this.say(this.message);
    else void this.#fetch().then(() => this.say(this.message));
  }

  async #fetch(): Promise<void> {
    this.#answers = await withSet('stones_more', import('./answers')).catch(() => null);
  }

  say(text: string): void {
    // The same words twice are two announcements: an invisible mark makes them different.
    this.said = text && text === this.said ? `${text}\u00a0` : text;
  }

  /** A press that may become a drag: of an artist, or of the tower that is previewed. */
  grip(event: PointerLike, what: Dragged): void {
    if (this.choices) this.drag = press(event, what);
  }

  /** Feed a pointer event to a drag in progress; `place` is what lies under the pointer. Says whether it was no tap. */
  move(event: PointerLike, place: Place | null): boolean {
    const { drag, dropped } = follow(this.drag, event);
    const lost = Boolean(this.drag?.moving && !drag);
    if (drag?.moving && !this.drag?.moving && drag.what.kind === 'artist') {
      if (!this.choices?.spaces.length) this.#refuse('board_full');
      else this.hold(picking({ artist: drag.what.n }));
    }
    this.drag = drag;
    this.over = drag?.moving && place?.kind === 'artist' ? place.n : null;
    if (dropped && place && dropped.what.kind === 'artist' && place.kind === 'artist' && this.chosen.artist === dropped.what.n) this.destination(place.n);
    if (dropped && place?.kind === 'space' && dropped.what.kind === 'tower') {
      if (this.chosen.space !== place.n) this.space(place.n);
      // A drop on a place is as deliberate as a confirmation.
      if (this.chosen.space === place.n) this.confirm();
    }
    return lost || dropped !== null;
  }

  /** Listen to the session; returns the way to stop. */
  start(): () => void {
    this.shown = this.session.view;
    void this.#fetch();
    const deaf = this.session.subscribe((frame) => this.#hear(frame));
    return () => {
      deaf();
      this.#steps = [];
      this.#hurryOn();
      this.#left = true;
    };
  }

  #hear(frame: Frame): void {
    const { view } = frame;
    if (frame.t === 'snapshot') {
      this.#steps = this.playing ? [{ step: null, view }] : [];
      this.#hurryOn();
      if (!this.playing) this.shown = view;
      return;
    }
    this.#steps.push({ step: frame.step, view });
    const text = stepInWords(frame.step, this.mine, this.names);
    if (text) this.say(text);
    this.#held = NOTHING;
    this.#answer = null;
    this.session.highlight = null;
    if (!this.playing) void this.#play();
  }

  async #play(): Promise<void> {
    this.playing = true;
    // A browser that cannot get it now shows the newest picture, but no way there.
    this.motion ??= await import('./motion').catch(() => null);
    await tick();
    for (let next = this.#steps.shift(); next; next = this.#steps.shift()) {
      for (const beat of this.motion?.stages(this.shown, next.step, next.view) ?? [{ view: next.view!, flights: [], rest: 0, event: null }]) {
        this.beat = beat;
        const still = settings.reducedMotion || this.#hasty || document.hidden || !this.root;
        if (still) this.shown = beat.view;
        else await this.#show(beat);
        if (!this.#hasty && !document.hidden) await this.#rest(beat.rest / (this.#steps.length > 2 ? 3 : 1));
      }
      if (!this.#steps.length) this.#hasty = false;
    }
    this.beat = null;
    this.playing = false;
  }

  async #show(beat: Beat): Promise<void> {
    const journey = this.motion?.travel(this.root!, beat);
    this.shown = beat.view;
    await tick();
    await Promise.race([journey?.arrive(), new Promise<void>((resolve) => (this.#rested = resolve))]);
    journey?.stop();
  }

  #rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      clearTimeout(this.#quiet);
      this.#rested = resolve;
      this.#quiet = window.setTimeout(resolve, ms);
    });
  }

  #hurryOn(): void {
    this.#hasty = this.playing;
    this.#rested?.();
  }

  /** Skip what is being played: the newest picture at once. */
  skip(): void {
    if (this.playing) this.#hurryOn();
  }
}
