// The chat of one table: what is unread, whether it is muted, and what is sent. One for each session.
import type { Session } from './session.svelte';
import { recall, remember, saidText, talk, unread, type Phrase } from './talk';
import { version } from './version.svelte';
import type { Step } from './wire';

export class Chat {
  readonly session: Session;
  /** Whether it lies open before the reader, so that everything in it counts as read. */
  open = $state(false);
  draft = $state('');
  #memory = $state.raw({ read: 0, muted: false });
  /** The text on its way, by the id of its command. */
  #sent: { id: string; text: string } | null = null;

  constructor(session: Session) {
    this.session = session;
    this.#memory = recall(session.id);
    version.holds.add(() => this.draft !== '');
  }

  get said(): Step[] {
    return talk(this.session.log);
  }

  get muted(): boolean {
    return this.#memory.muted;
  }
  set muted(muted: boolean) {
    this.#remember({ ...this.#memory, muted });
  }

  /** How much was said by others since this was last looked at; muted: nothing. */
  get unread(): number {
    return this.muted || this.open ? 0 : unread(this.session.log, this.#memory.read, this.session.info?.you ?? null);
  }

  /** The newest that is unread. */
  get newest(): Step | null {
    return this.unread ? (this.said.findLast(({ seat }) => seat !== this.session.info?.you) ?? null) : null;
  }

  /** Everything so far has been seen. */
  seen(): void {
    const read = this.said.at(-1)?.v ?? 0;
    if (read > this.#memory.read) this.#remember({ ...this.#memory, read });
  }

  phrase(phrase: Phrase): void {
    this.session.say({ phrase });
  }

  /** Send what is written. It is kept until it is known to have arrived. */
  send(): void {
    const text = this.draft.trim();
    if (!text) return;
    this.#sent = { id: this.session.say({ text }), text };
    this.draft = '';
  }

  /** What was refused comes back, to be sent again or changed. */
  restore(refused: string | null): void {
    if (!this.#sent || this.#sent.id !== refused) return;
    this.draft ||= this.#sent.text;
    this.#sent = null;
  }

  #remember(memory: { read: number; muted: boolean }): void {
    this.#memory = memory;
    remember(this.session.id, memory);
  }
}

const chats = new WeakMap<Session, Chat>();

/** The chat of a session. */
export function chatOf(session: Session): Chat {
  let chat = chats.get(session);
  if (!chat) chats.set(session, (chat = new Chat(session)));
  return chat;
}

/** What is to be announced of a step; empty for who may not hear it. */
export const announced = (step: Step | null): string => (step ? saidText(step) : '');
