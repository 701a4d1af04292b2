// What the others did since this viewer's last move: the places that keep a mark until the viewer moves again.
import type { GameEvent, Step } from './types';
import { at } from './anchors';

/** Anchor and colour of everything one event touched, as "m-0 R": what a stack or a place compares itself with. */
export function touched(event: GameEvent): string[] {
  switch (event.type) {
    case 'build':
      return [`${at.mountain(event.mandala)} ${event.colour}`];
    case 'grow':
      return [`${at.field(event.mandala, event.seat)} ${event.colour}`];
    case 'redraw':
      return [`${at.discard} ${event.colour}`];
    case 'claim':
      return [
        ...(event.river_place ? [`${at.river(event.seat, event.river_place)} ${event.colour}`] : []),
        ...(event.cup ? [`${at.cup(event.seat)} ${event.colour}`] : []),
        ...(event.discarded ? [`${at.discard} ${event.colour}`] : []),
      ];
    default:
      return [];
  }
}

/** All places one step touched (for the log's "show me"). */
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
