// Mandala's scene: what the shell loads when a page shows this game.
import { withSet } from '../../lib/i18n';

export const describer = () => withSet('mandala_more', import('./tell')).then(({ describeStep }) => describeStep);
export { default as Scene } from './Scene.svelte';
