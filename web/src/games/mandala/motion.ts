// What shows a step picture by picture, with cards that travel: fetched at the first one, for the table stands without it.
export { default as Flights } from './Flights.svelte';
export { glide } from './glide';
export { stages } from './stage';
export { travel } from './travel';
