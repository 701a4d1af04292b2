// Builds the development page by itself, away from the product: `npx vite build --config dev/vite.config.ts`.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { here } from '../scripts/messages.mjs';

export default defineConfig({
  root: here('dev'),
  base: './',
  plugins: [svelte({ configFile: here('svelte.config.js') })],
  build: { outDir: process.env['DEV_OUT'] ?? here('dev/dist'), emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0, minify: false },
});
