// Weighs what a browser loads, gzipped: fails when a page is above its limit. Run after a build.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { here } from './messages.mjs';

/** Most that a page may load of JavaScript and CSS together, in bytes, in any language. */
const LIMIT = 60_000;
const STATIC = here('../src/sandriver/server/static/');
const LOCALES = ['en', 'pt-BR', 'ja', 'el'];
/** What each page loads besides the entry and its language. */
const PAGES = {
  home: ['src/pages/Home.svelte', 'src/games/mandala/Preview.svelte', 'src/games/stones/Preview.svelte', 'messages/lobby'],
  table: ['src/pages/Table.svelte', 'src/games/mandala/index.ts', 'messages/mandala'],
  'table, wide': ['src/pages/Table.svelte', 'src/games/mandala/index.ts', 'messages/mandala', 'src/parts/TablePanel.svelte'],
  stones: ['src/pages/Table.svelte', 'src/games/stones/index.ts', 'messages/stones'],
  'stones, wide': ['src/pages/Table.svelte', 'src/games/stones/index.ts', 'messages/stones', 'src/parts/TablePanel.svelte'],
  'home, then table': ['src/pages/Home.svelte', 'src/games/mandala/Preview.svelte', 'src/games/stones/Preview.svelte', 'messages/lobby', 'src/pages/Table.svelte', 'src/games/mandala/index.ts', 'messages/mandala'],
  rules: ['src/pages/Help.svelte', 'src/help/Mandala.svelte', 'messages/help'],
  'stones rules': ['src/pages/Help.svelte', 'src/help/Stones.svelte', 'messages/stones_help'],
};

const manifest = JSON.parse(readFileSync(`${STATIC}.vite/manifest.json`, 'utf8'));
const weights = new Map();

/** Gzipped size of one built file. */
function weigh(file) {
  if (!weights.has(file)) weights.set(file, gzipSync(readFileSync(STATIC + file), { level: 9 }).length);
  return weights.get(file);
}

/** The files that loading a module brings along: its own, its styles, and whatever it imports at once. */
function files(module, seen = new Set(), found = new Set()) {
  if (seen.has(module)) return found;
  seen.add(module);
  const entry = manifest[module];
  if (!entry) throw new Error(`${module} is not in the build`);
  for (const file of [entry.file, ...(entry.css ?? [])]) if (/\.(js|css)$/.test(file)) found.add(file);
  for (const next of entry.imports ?? []) files(next, seen, found);
  return found;
}

let failed = false;
for (const [page, modules] of Object.entries(PAGES)) {
  const sizes = LOCALES.map((locale) => {
    const roots = ['index.html', `src/paraglide/app/messages/${locale}.js`];
    for (const module of modules) roots.push(module.replace(/^messages\/(.*)/, `src/paraglide/$1/messages/${locale}.js`));
    return [...new Set(roots.flatMap((root) => [...files(root)]))].reduce((sum, file) => sum + weigh(file), 0);
  });
  const most = Math.max(...sizes);
  const limited = !page.includes('then');
  if (limited && most > LIMIT) failed = true;
  const mark = !limited ? '' : most > LIMIT ? `  above ${LIMIT}` : '';
  console.log(`${page.padEnd(18)} ${LOCALES.map((locale, i) => `${locale} ${sizes[i]}`).join('  ')}${mark}`);
}
const everything = new Set(Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css]).filter((file) => /\.(js|css)$/.test(file)));
console.log(`every file, all languages: ${[...everything].reduce((sum, file) => sum + weigh(file), 0)} bytes gzipped in ${everything.size} files`);
process.exitCode = failed ? 1 : 0;
