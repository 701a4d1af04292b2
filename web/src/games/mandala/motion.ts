// What shows a step picture by picture, with cards that travel: fetched at the first one, for the table stands without it.
import { tick } from 'svelte';
import { settings } from '../../lib/settings.svelte';
import { glide } from './glide';
import { drawn, stages, type Stage } from './stage';
import type { Table } from './table.svelte';
import { travel } from './travel';
import type { Step, View } from './types';

export { default as Fall } from './Fall.svelte';
export { default as Flights } from './Flights.svelte';

/** A step of the game, or the newest picture alone, that waits to be shown. */
export interface Waiting {
  readonly step: Step | null;
  readonly view: View | null;
}

/** Show all that waits, in order, and whatever joins it meanwhile; a picture alone ends what came before it. */
export async function play(table: Table, steps: Waiting[]): Promise<void> {
  for (let next = steps.shift(); next; next = steps.shift()) {
    const { me } = table;
    const mine = me !== null && (next.step?.seat === me || next.step?.kind === 'undone');
    if (mine) table.fresh = {};
    const all = next.step ? stages(table.shown, next.step, next.view) : [{ view: next.view!, flights: [], rest: 0, event: null }];
    for (const stage of all) {
      if (steps[0]?.step === null) break;
      table.event = stage.event;
      const still = settings.reducedMotion || table.hasty || document.hidden || !table.root;
      if (still) table.shown = stage.view;
      else await show(table, table.root!, stage);
      if (!still || (settings.reducedMotion && !table.hasty)) await rest(table, stage.rest / (steps.length > 2 ? 3 : 1));
    }
    if (mine) table.fresh = drawn(next.step!, me);
    if (!steps.length) table.hasty = false;
  }
}

/** Show one stage's travel and its picture. */
async function show(table: Table, root: HTMLElement, stage: Stage): Promise<void> {
  const flight = travel(root, table.canvas, stage.flights);
  const settle = glide(root);
  table.landing = flight.landing;
  table.shown = stage.view;
  await tick();
  // Landing places are measured before anything glides, or cards would aim at where their place was.
  const done = flight.go((flying) => (table.flying = flying));
  // What is swept away crumbles where it lay: its neighbours keep their distance for so long.
  settle?.(stage.flights.some((f) => f.sand) ? 700 : 0);
  await table.unlessHurried(done);
  flight.stop();
  table.flying = [];
  table.landing = {};
}

async function rest(table: Table, ms: number): Promise<void> {
  let timer = 0;
  await table.unlessHurried(new Promise((resolve) => (timer = window.setTimeout(resolve, ms))));
  clearTimeout(timer);
}
