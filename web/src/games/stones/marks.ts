// What the others did since this viewer's last move: the anchors that keep a mark until the viewer moves again.
import { at } from './anchors';
import type { Step, StonesEvent } from './types';

/** Anchors of everything one event touched. */
export function touched(event: StonesEvent): string[] {
  switch (event.type) {
    case 'move':
      return [at.artist(event.to)];
    case 'gather':
      return [...event.stones.map(({ stack }) => at.stack(stack)), at.tower(event.seat, event.space)];
    case 'score':
      return [...event.stones.map(({ space }) => at.tower(event.seat, space)), ...event.places.map(at.place)];
    default:
      return [];
  }
}

/** All anchors one step touched (for the log's "show me"). */
export const touchedBy = (step: Step | null | undefined): Set<string> => new Set((step?.events ?? []).flatMap(touched));

/** The marks: every action of others since the viewer's own last one; a spectator sees the last action marked. */
export function marks(log: readonly Step[], you: number | null): Set<string> {
  const found = new Set<string>();
  for (const step of [...log].reverse()) {
    if (step.kind !== 'action') continue;
    if (step.seat === you) break;
    for (const mark of touchedBy(step)) found.add(mark);
    if (you === null) break;
  }
  return found;
}
