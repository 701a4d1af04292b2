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

/** Who asks for what. */
export const askedText = (what: Proposal['what'], who: string): string => ASKED[what]({ who });

/** A step in a sentence; empty for one that a game tells, or that needs no words. `log`: the steps before and after it. */
export function toldStep(step: Step, info: TableInfo, log: readonly Step[]): string {
  const who = step.seat == null ? '' : step.seat === info.you ? m.you() : seatName(info, step.seat);
  switch (step.kind) {
    case 'proposed':
      return step.what ? askedText(step.what, who) : '';
    case 'answered':
      if (step.yes) return m.told_agreed({ who });
      return asker(step, log) === step.seat ? m.told_withdrawn({ who }) : m.told_declined({ who });
    case 'drawn':
      return m.told_drawn();
    case 'undone':
      return m.told_undone({ who });
    case 'paused':
      return m.told_paused();
    case 'resumed':
      return m.told_resumed();
    case 'flagged':
      return m.told_flagged({ who });
    case 'absent':
      return m.told_absent({ who });
    case 'returned':
      return m.told_returned({ who });
    default:
      return '';
  }
}

/** Who had asked for what a step answers. */
const asker = (answer: Step, log: readonly Step[]): number | null | undefined => log.findLast(({ kind, what, v }) => kind === 'proposed' && what === answer.what && v < answer.v)?.seat;
