// Which actions of a log were taken back. Pure.
import type { Step } from './wire';

/** Versions of the actions in a log that were taken back again. */
export function undone(log: readonly Step[]): Set<number> {
  const played: Step[] = [];
  const gone = new Set<number>();
  for (const step of log) {
    if (step.kind === 'action') played.push(step);
    if (step.kind === 'undone') while (played.length && (played.at(-1)!.ply ?? 0) > (step.ply ?? 0)) gone.add(played.pop()!.v);
  }
  return gone;
}
