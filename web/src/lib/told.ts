// Entries of a log that are no game's own, in words: time, consent, absence. What is said at the table is told by the chat.
import { m } from './i18n';
import { seatName } from './names';
import type { Proposal, Step, TableInfo } from './wire';

const ASKED: Record<Proposal['what'], (who: { who: string }) => string> = {
  draw: (who) => m.asked_draw(who),
  undo: (who) => m.asked_undo(who),
  pause: (who) => m.asked_pause(who),
  resume: (who) => m.asked_resume(who),
};
const OWN: Record<Proposal['what'], () => string> = {
  draw: () => m.asked_draw_you(),
  undo: () => m.asked_undo_you(),
  pause: () => m.asked_pause_you(),
  resume: () => m.asked_resume_you(),
};

/** Who asks for what: a seat, or the reader. */
export const askedText = ({ what, seat }: Pick<Proposal, 'what' | 'seat'>, info: TableInfo): string =>
  seat === info.you ? OWN[what]() : ASKED[what]({ who: seatName(info, seat) });

/** A step in a sentence; empty for one that a game tells, or that needs no words. `log`: the steps before and after it. */
export function toldStep(step: Step, info: TableInfo, log: readonly Step[]): string {
  const mine = step.seat != null && step.seat === info.you;
  const who = step.seat == null ? '' : mine ? m.you() : seatName(info, step.seat);
  switch (step.kind) {
    case 'proposed':
      return step.what && step.seat != null ? askedText({ what: step.what, seat: step.seat }, info) : '';
    case 'answered':
      if (step.yes) return mine ? m.told_agreed_you() : m.told_agreed({ who });
      if (asker(step, log) === step.seat) return mine ? m.told_withdrawn_you() : m.told_withdrawn({ who });
      return mine ? m.told_declined_you() : m.told_declined({ who });
    case 'drawn':
      return m.told_drawn();
    case 'undone':
      return mine ? m.told_undone_you() : m.told_undone({ who });
    case 'paused':
      return m.told_paused();
    case 'resumed':
      return m.told_resumed();
    case 'flagged':
      return m.told_flagged({ who });
    case 'absent':
      return m.told_absent({ who });
    case 'no_rematch':
      return mine ? m.told_no_rematch_you() : m.told_no_rematch({ who });
    case 'returned':
      return mine ? m.told_returned_you() : m.told_returned({ who });
    default:
      return '';
  }
}

/** Who had asked for what a step answers. */
const asker = (answer: Step, log: readonly Step[]): number | null | undefined => log.findLast(({ kind, what, v }) => kind === 'proposed' && what === answer.what && v < answer.v)?.seat;
