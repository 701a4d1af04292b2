// Mandala Stones' scene: what the shell loads when a page shows this game.
export { describeStep } from './describe';
export { default as Scene } from './Scene.svelte';
