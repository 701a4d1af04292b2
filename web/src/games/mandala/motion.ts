// What makes cards travel: fetched when the first one does, for the table stands without it.
export { default as Flights } from './Flights.svelte';
export { glide } from './glide';
export { travel } from './travel';
