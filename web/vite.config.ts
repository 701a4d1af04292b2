// Builds the client into the server's package, where `sandriver serve` finds it; no inline script or style, so that a strict CSP holds.
import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';
import { compileMessages, here, shortNames } from './scripts/messages.mjs';

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

/**
 * Svelte's code for hydration, legacy components and asynchronous components is guarded by variables so that a bundler can leave it out;
 * this one does so only for constants. We use none of the three (a component that did would fail to build, since the switch is gone).
 */
function lean(): Plugin {
  const guards = /svelte\/src\/internal\/(flags\/index|client\/dom\/hydration)\.js$/;
  return {
    name: 'sandriver-lean',
    apply: 'build',
    transform(code, id) {
      if (!guards.test(id)) return null;
      return code
        .replace(/export let (\w+) = false;/g, 'export const $1 = false;')
        .replace(/export function (enable|disable)_\w+_flag\(\) \{[^}]*\}/g, '')
        .replace('hydrating = value;', '');
    },
  };
}

/** Gives the messages their short names, where they are defined and where they are used: `m.name(…)` and `speaks('name')`. */
function brief(): Plugin {
  const names = shortNames();
  const defined = /paraglide\/(?!\w*help\/)\w+\/messages\/[\w-]+\.js$/;
  return {
    name: 'sandriver-brief',
    apply: 'build',
    transform(code, id) {
      if (defined.test(id)) return code.replace(/^(\w+):/gm, (_, name: string) => `${names.get(name) ?? name}:`);
      if (!/\/src\/.*\.(svelte|ts)$/.test(id)) return null;
      return code.replace(/\b(m\.|speaks\(['"])(\w+)/g, (_, before: string, name: string) => before + (names.get(name) ?? name));
    },
  };
}

/** Lays a `.br` and a `.gz` beside every text file: the server sends those as they are, so that nothing is compressed while somebody waits. */
function compressed(): Plugin {
  return {
    name: 'sandriver-compressed',
    apply: 'build',
    writeBundle({ dir }, bundle) {
      for (const name of Object.keys(bundle).filter((name) => /\.(js|css|svg)$/.test(name))) {
        const path = `${dir}/${name}`;
        const text = readFileSync(path);
        writeFileSync(`${path}.br`, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
        writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }));
      }
    },
  };
}

/** What every page needs, what some share, and what is loaded only when it is opened: one file each. A group takes its imports along, unless an earlier one has them. */
const GROUPS = [
  { name: 'core', test: /node_modules\/svelte|src\/lib\/(?!options|levels|me\.|clock|timepiece|talk|told|consent|chat|look-back|replay|undone|sheets)|src\/App\b|src\/parts\/(Icon|Later)\b|src\/games\/(index|about)\b|app\/registry|vite\/|rolldown/ },
  { name: 'page', test: /src\/parts\/(CodeField|Page|Header|Wordmark|aids)\b|src\/lib\/(failures|levels)\b|src\/styles\/forms\b/ },
  { name: 'play', test: /src\/pages\/Table\b/ },
  { name: 'panel', test: /src\/parts\/(Players|TablePanel)\b/ },
  { name: 'sand', test: /games\/mandala\/(Art|art|Card|Motifs|motifs|Stack|sand\.css)/ },
  { name: 'scene', test: /games\/mandala\/(?!about|options|Art|art|Card|Motifs|motifs|Stack|sand|Preview|Reckoning|Sheets|hands|answers|keyboard|drag|Fall|Flights|motion|stage|sums|tell|travel|glide)/ },
  { name: 'stone', test: /src\/games\/stones\/(Symbols|symbols|shapes|lattice|discs|stone\.css)/ },
  { name: 'stones', test: /src\/games\/stones\/(?!about|options|Preview|Reckoning|Objectives|Large|hands|answers|touch|keys|keyboard|drag|motion|stage|tell|travel)/ },
  { name: 'rules', test: /src\/pages\/(Help|Missing)\b|src\/help\/(index|words)\b/ },
  { name: 'more', test: /src\/parts\/(NameField|Notice|Overlays|signs|OptionsForm|Settings|Share|TableDialogs|TableEnd|WaitingRoom)\b|src\/pages\/Join\b/ },
  { name: 'sheet', test: /src\/lib\/sheets|src\/parts\/(Dialog|TwoSteps)\b/ },
  { name: 'clock', test: /src\/lib\/(clock|timepiece)|src\/parts\/(Clock|ClockStrip)\.svelte/ },
  { name: 'chat', test: /src\/lib\/(talk|chat)|src\/parts\/ChatButton\b/ },
  { name: 'replay', test: /src\/lib\/(look-back|replay-session)|src\/parts\/ReplayBar\b/ },
  { name: 'together', test: /src\/lib\/told|src\/parts\/(Asks|Chat|ChatSheet|OfferDraw)\b/ },
];

export default defineConfig({
  plugins: [messages(), lean(), svelte(), brief(), compressed()],
  build: {
    outDir: here('../src/sandriver/server/static'),
    emptyOutDir: true,
    target: 'es2022',
    // Popovers, which the table needs, are of the same year as light-dark(): older style is of no use to anybody.
    cssTarget: ['chrome123', 'firefox125', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
    rolldownOptions: {
      // Svelte defines its base class for custom elements wherever there are any in the world; none of ours is one.
      treeshake: { moduleSideEffects: [{ test: /svelte\/src\/internal\/client\/dom\/elements\/custom-element\.js$/, sideEffects: false }] },
      output: {
        codeSplitting: { groups: GROUPS },
        // Names do not compress and stand in every list of what to load: 42 bits tell versions of a file apart.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
      },
    },
  },
  // The page of rules reads its numbers from the ruleset that the server's package ships.
  server: { proxy: { '/api': { target: SERVER, ws: true } }, fs: { allow: [here('..')] } },
});
