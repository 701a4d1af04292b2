// What people at a table ask of each other and say: what is offered, what is unread, and what the session sends.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chatOf } from '../src/lib/chat.svelte';
import { awayFrom, declined, mayAsk, whyNoDraw, whyNoUndo } from '../src/lib/consent';
import { Session } from '../src/lib/session.svelte';
import { recall, remember, unread } from '../src/lib/talk';
import { asksSomething } from '../src/lib/turn';
import type { SeatInfo, Step, TableInfo } from '../src/lib/wire';
import { FakeSocket, snapshot, table, update } from './socket';

const bot: SeatInfo = { kind: 'bot', name: 'random', online: true };
const [ana, ben] = table().seats as [SeatInfo, SeatInfo];
const clock: TableInfo['clock'] = { plan: { base_s: 60 }, at: 0, remaining: [1, 1], running: 0, deadline: 1, paused: false };
let v = 0;
const entry = (kind: Step['kind'], more: Partial<Step> = {}): Step => ({ v: ++v, kind, seat: 0, ...more });

describe('what may be asked', () => {
  it('is a draw among people only', () => {
    expect(mayAsk(table(), [], 'draw')).toBe(true);
    expect(mayAsk(table({ seats: [ana, bot] }), [], 'draw')).toBe(false);
    expect(mayAsk(table({ seats: [ana, ben, { ...ben, absent: true }] }), [], 'draw')).toBe(false);
  });

  it('is undo when the server offers it, pause and going on where clocks are', () => {
    expect([mayAsk(table(), [], 'undo'), mayAsk(table({ undo: true }), [], 'undo')]).toEqual([false, true]);
    expect([mayAsk(table(), [], 'pause'), mayAsk(table({ clock }), [], 'pause')]).toEqual([false, true]);
    expect(mayAsk(table({ clock: { ...clock!, paused: true } }), [], 'resume')).toBe(true);
  });

  it('is nothing for who watches, is absent, or where the game is over', () => {
    for (const change of [{ you: null }, { state: 'over' as const }, { seats: [{ ...ana, absent: true }, ben] }]) expect(mayAsk(table({ ...change, undo: true }), [], 'undo')).toBe(false);
  });

  it('is not asked twice, nor again after a no until somebody acts', () => {
    expect(mayAsk(table({ proposals: [{ what: 'draw', seat: 1, v: 3, waiting: [0] }] }), [], 'draw')).toBe(false);
    const log = [entry('action'), entry('proposed', { what: 'draw' }), entry('answered', { seat: 1, what: 'draw', yes: false })];
    expect([declined(log, 0, 'draw'), declined(log, 1, 'draw'), declined(log, 0, 'undo')]).toEqual([true, false, false]);
    expect(declined([...log, entry('action', { seat: 1 })], 0, 'draw')).toBe(false);
    const withdrawn = [entry('proposed', { what: 'draw' }), entry('answered', { seat: 0, what: 'draw', yes: false })];
    expect(declined(withdrawn, 0, 'draw')).toBe(false);
  });
});

describe('why a move cannot be taken back', () => {
  const mine = [entry('action', { ply: 1 }), entry('action', { ply: 2, seat: 1 })];
  const no = [...mine, entry('proposed', { what: 'undo' }), entry('answered', { seat: 1, what: 'undo', yes: false })];

  it('is that something came to light, or that somebody said no', () => {
    expect([whyNoUndo(table(), mine), whyNoUndo(table(), no)]).toEqual(['revealed', 'declined']);
  });

  it('is not told where there is no such move, or where it can be asked or is asked already', () => {
    const asked: TableInfo['proposals'] = [{ what: 'undo', seat: 0, v: 3, waiting: [1] }];
    for (const change of [{ undo: true }, { proposals: asked }, { you: null }, { state: 'over' as const }, { clock: { ...clock!, paused: true } }]) expect(whyNoUndo(table(change), mine)).toBeNull();
    expect([whyNoUndo(table(), mine.slice(1)), whyNoUndo(table(), [...mine, entry('undone', { ply: 0 })])]).toEqual([null, null]);
  });
});

describe('why no draw can be offered', () => {
  it('is a pause or a no, and is not told where a bot plays, or where it can be offered or is offered already', () => {
    const no = [entry('proposed', { what: 'draw' }), entry('answered', { seat: 1, what: 'draw', yes: false })];
    const paused = table({ clock: { ...clock!, paused: true } });
    expect([whyNoDraw(paused, []), mayAsk(paused, [], 'draw'), whyNoDraw(table(), no)]).toEqual(['paused', false, 'declined']);
    const asked: TableInfo['proposals'] = [{ what: 'draw', seat: 0, v: 3, waiting: [1] }];
    for (const change of [{}, { proposals: asked }, { you: null }, { seats: [ana, bot] }]) expect(whyNoDraw(table(change), [])).toBeNull();
  });
});

describe('absence', () => {
  it('concerns who must act, and not oneself', () => {
    expect(awayFrom(table({ to_move: 1 }), [null, 500])).toEqual({ seat: 1, from: 500 });
    expect(awayFrom(table({ to_move: 0 }), [500, null])).toBeNull();
    expect(awayFrom(table({ to_move: 1 }), [])).toBeNull();
    expect(awayFrom(table({ to_move: 1, you: null }), [null, 500])).toBeNull();
  });

  it('and everything else that is asked brings up the cards for it', () => {
    const asks = (change: Partial<TableInfo>, away: number[] = [], log: Step[] = []) => asksSomething({ info: table(change), away, log });
    const answer = (yes: boolean): Step[] => [entry('proposed', { what: 'draw' }), entry('answered', { what: 'draw', yes, seat: 1 })];
    expect([asks({}, [], answer(false)), asks({}, [], answer(true)), asks({}, [], [...answer(false), entry('action')])]).toEqual([true, false, false]);
    expect([asks({}), asks({}, [1]), asks({ proposals: [{ what: 'undo', seat: 1, v: 1, waiting: [0] }] }), asks({ you: null }, [1])]).toEqual([false, true, true, false]);
  });
});

describe('talk', () => {
  it('counts what others said since it was read', () => {
    const log = [entry('said', { seat: 1, phrase: 'hello' }), entry('said', { text: 'hi' }), entry('action'), entry('said', { seat: 1, text: 'x' })];
    expect([unread(log, 0, 0), unread(log, log[0]!.v, 0), unread(log, 0, null), unread(log, v, 0)]).toEqual([2, 1, 3, 0]);
  });

  it('remembers a bounded number of tables, and survives damaged storage', () => {
    for (let i = 0; i < 80; i++) remember(`t${i}`, { read: i, muted: i % 2 === 1 });
    expect([recall('t79'), recall('t0')]).toEqual([{ read: 79, muted: true }, { read: 0, muted: false }]); // prettier-ignore
    localStorage.setItem('sandriver.talk', '[');
    expect(recall('t79')).toEqual({ read: 0, muted: false });
  });
});

describe('the session', () => {
  let session: Session;
  const sent = () => FakeSocket.all.flatMap(({ commands }) => commands);
  beforeEach(async () => {
    vi.useFakeTimers();
    vi.stubGlobal('WebSocket', FakeSocket);
    localStorage.clear();
    FakeSocket.all = [];
    session = new Session('abc');
    await vi.advanceTimersByTimeAsync(0);
    FakeSocket.last.say(snapshot(6));
  });
  afterEach(() => {
    session.close();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('sends each wish once while it waits for its answer', () => {
    session.propose('undo');
    session.propose('undo');
    session.propose('pause');
    expect(sent()).toMatchObject([
      { t: 'propose', what: 'undo', ply: 2 },
      { t: 'propose', what: 'pause', ply: 2 },
    ]);
  });

  it('answers, claims, comes back and speaks', () => {
    session.answer({ what: 'draw', seat: 1, v: 7, waiting: [0] }, false);
    session.claim(1, 'bot');
    session.comeBack();
    session.say({ phrase: 'hello' });
    expect(sent().map(({ t }) => t)).toEqual(['answer', 'claim', 'return', 'say']);
    expect(sent()[0]).toMatchObject({ what: 'draw', v: 7, yes: false });
  });

  it('does not ask again for what a rule forbids', async () => {
    session.propose('draw');
    const { id } = sent()[0] as { id: string };
    FakeSocket.last.say({ t: 'refused', id, code: 'too_many_requests', rule: 'declined', params: {}, snapshot: null });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent()).toHaveLength(1);
    expect(session.refusal?.rule).toBe('declined');
  });

  it("hears who is away, and the server's time as the answer to its own question", async () => {
    FakeSocket.last.say({ t: 'presence', online: [true, false], spectators: 0, away: [null, 900] });
    expect(session.away).toEqual([null, 900]);
    const times: number[][] = [];
    session.timed = (...time) => times.push(time);
    session.askTime();
    expect(times).toEqual([[performance.now(), 0]]);
  });

  it('keeps a chat whose unread mark goes when it is looked at, and is never set while muted', () => {
    const chat = chatOf(session);
    const said = (n: number): void => FakeSocket.last.say({ ...update(n), step: { v: n, kind: 'said', seat: 1, text: 'hi' } });
    said(7);
    expect([chat.unread, chat.newest?.v]).toEqual([1, 7]);
    chat.seen();
    expect(chat.unread).toBe(0);
    chat.muted = true;
    said(8);
    expect([chat.unread, chatOf(session) === chat]).toEqual([0, true]);
  });

  it('gives back a text that was refused', () => {
    const chat = chatOf(session);
    chat.draft = ' good day ';
    chat.send();
    const say = sent()[0] as { id: string; text: string };
    expect([say.text, chat.draft]).toEqual(['good day', '']);
    chat.restore(say.id);
    expect(chat.draft).toBe('good day');
  });
});
