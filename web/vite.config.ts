// Builds the client into the server's package, where `sandriver serve` finds it; no inline script or style, so that a strict CSP holds.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { type Plugin, defineConfig } from 'vite';
import { compileMessages, here } from './scripts/messages.mjs';

/** Where `npm run dev` finds the server. */
const SERVER = process.env['SANDRIVER_SERVER'] ?? 'http://127.0.0.1:8000';

/** Compiles the message catalogues before anything imports them, and again when one changes. */
function messages(): Plugin {
  return {
    name: 'sandriver-messages',
    buildStart: compileMessages,
    configureServer(server) {
      server.watcher.add(here('messages'));
      server.watcher.on('change', async (path) => {
        if (path.startsWith(here('messages'))) await compileMessages();
      });
    },
  };
}

export default defineConfig({
  plugins: [messages(), svelte()],
  build: {
    outDir: here('../src/sandriver/server/static'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Svelte defines its base class for custom elements wherever there are any in the world; none of ours is one.
      treeshake: { moduleSideEffects: [{ test: /svelte\/src\/internal\/client\/dom\/elements\/custom-element\.js$/, sideEffects: false }] },
    },
  },
  server: { proxy: { '/api': { target: SERVER, ws: true } } },
});
