// What shows steps picture by picture, with stones and artists that travel: fetched at the first one, for the table stands without it.
import { tick } from 'svelte';
import { settings } from '../../lib/settings.svelte';
import { touched } from './marks';
import { stages, type Beat } from './stage';
import type { Air, StonesTable } from './table.svelte';
import { travel } from './travel';
import type { Step, StonesView } from './types';

/** A step of the game, or the newest picture alone, that waits to be shown. */
export interface Waiting {
  readonly step: Step | null;
  readonly view: StonesView | null;
}

/** Show all that waits, in order, and whatever joins it meanwhile. */
export async function play(table: StonesTable, steps: Waiting[]): Promise<void> {
  for (let next = steps.shift(); next; next = steps.shift()) {
    const { step, view } = next;
    table.look(step);
    for (const beat of stages(table.shown, step, view)) {
      table.beat = beat;
      table.tell(beat.event);
      const hurried = () => table.hasty || table.rushed || document.hidden;
      if (settings.reducedMotion || hurried() || !table.root) table.shown = beat.view;
      // The own artist stands there already: it was seen to go while the move was chosen.
      else await show(table, table.root, table.went && beat.event?.type === 'move' ? { ...beat, flights: [] } : beat);
      table.went = null;
      if (beat.event && step?.seat !== table.mine) table.seen = new Set([...table.seen, ...touched(beat.event)]);
      if (!hurried()) await rest(table, beat.rest / (steps.length > 2 ? 3 : 1));
    }
    if (!steps.length) table.hasty = false;
  }
}

/** Show one beat's travel and its picture. */
async function show(table: StonesTable, root: HTMLElement, beat: Beat): Promise<void> {
  const journey = travel(root, beat);
  table.air = journey.air;
  table.shown = beat.view;
  await tick();
  const landed = ({ stones = 0, points = 0 }: Partial<Air>) => {
    if (table.air) table.air = { ...table.air, stones: table.air.stones - stones, points: table.air.points - points };
  };
  await table.unlessHurried(journey.arrive(landed));
  journey.stop();
  table.air = null;
}

async function rest(table: StonesTable, ms: number): Promise<void> {
  let timer = 0;
  await table.unlessHurried(new Promise((resolve) => (timer = window.setTimeout(resolve, ms))));
  clearTimeout(timer);
}
