// The server's HTTP interface, typed. Everything that can go wrong becomes one kind of error with a code.
import type { ApiError, Games, Invitation, Me, MeChange, MyTables, OpenTable, Snapshot, TableOpened } from './wire';

/** Longest time to wait for an answer, in milliseconds. */
const PATIENCE = 10_000;

/** A request that failed: the server's code, or `network` when there was no answer that could be read. */
export class ApiFailure extends Error {
  constructor(
    readonly code: string,
    readonly params: Record<string, string | number> = {},
    readonly status = 0,
    /** The rule that a wish breaks, where the code alone does not say it. */
    readonly rule: string | null = null,
  ) {
    super(code);
  }
}

/** The last request that changes something. */
let last: Promise<unknown> = Promise.resolve();

/**
 * One change after the other. A guest's first change brings the cookie by which the server knows them: two at the same time
 * (a name typed, a seat taken) would make two guests of one person.
 */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work, work);
  last = mine.catch(() => undefined);
  return mine;
}

/** Ask the server. Raises `ApiFailure`. */
export function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  return method === 'GET' ? ask<T>(method, path, body) : inTurn(() => ask<T>(method, path, body));
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/api${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE),
    });
  } catch {
    throw new ApiFailure('network');
  }
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer as T;
  const error = (answer ?? {}) as Partial<ApiError>;
  throw new ApiFailure(error.code ?? (response.status >= 500 ? 'try_again' : 'bad_request'), error.params ?? {}, response.status, error.rule ?? null);
}

/** Bytes from the browser's own generator as hex digits. */
export function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export const api = {
  me: () => request<Me>('GET', '/me'),
  changeMe: (change: MeChange) => request<Me>('PUT', '/me', change),
  games: () => request<Games>('GET', '/games'),
  openTable: (wish: OpenTable) => request<TableOpened>('POST', '/tables', wish),
  table: (id: string) => request<Snapshot>('GET', `/tables/${encodeURIComponent(id)}`),
  invitation: (code: string) => request<Invitation>('GET', `/codes/${encodeURIComponent(code)}`),
  myTables: () => request<MyTables>('GET', '/me/tables'),

  /** Take a seat. The nonce is made here, after the shuffle's commitment was published, so nobody can have fitted the shuffle to it. */
  join: (id: string, seat: { code?: string; seat?: number } = {}) =>
    request<Snapshot>('POST', `/tables/${encodeURIComponent(id)}/join`, { ...seat, nonce: randomHex(16) }),

  /** Address of the record as a text file. */
  recordPath: (id: string) => `/api/tables/${encodeURIComponent(id)}/record`,
};
