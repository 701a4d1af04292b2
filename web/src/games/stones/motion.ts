// What shows a step picture by picture, with stones and artists that travel: fetched at the first one, for the table stands without it.
export { stages } from './stage';
export { travel } from './travel';
