// Compiles the message catalogues (messages/*/{locale}.json) to functions, one module a locale, under src/paraglide.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Path of a file of this project, whatever the working directory. */
export const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The sets, each loaded only when it is needed: what every page needs, what ways to a table and dialogs need, the help pages, those for the table of each game, what people at a table do together, and looking back. */
const SETS = ['app', 'lobby', 'help', 'mandala', 'mandala_more', 'stones', 'stones_more', 'stones_faults', 'stones_help', 'together', 'replay'];

/** Settings shared by the build and this script. One module a locale lets the browser load only the language that it shows. */
export const settings = (set) => ({
  project: here(`${set}.inlang`),
  outdir: here(`src/paraglide/${set}`),
  outputStructure: 'locale-modules',
  emitReadme: false,
  emitPrettierIgnore: false,
  cleanOutdir: false,
});

/** Remembers from what the functions that lie there were made. */
const MADE = here('src/paraglide/made');

/** Where the functions of a set lie. */
const functions = (set) => here(`src/paraglide/${set}/messages/`);

/** What the functions are made from, as a word: catalogues, settings, this script, the versions of what it uses. */
function contents() {
  const catalogues = SETS.flatMap((set) => readdirSync(here(`messages/${set}`)).sort().map((name) => `messages/${set}/${name}`));
  const hash = createHash('sha256');
  for (const path of ['scripts/messages.mjs', 'package-lock.json', ...SETS.map((set) => `${set}.inlang/settings.json`), ...catalogues]) {
    hash.update(`${path}\0`).update(readFileSync(here(path))).update('\0');
  }
  return hash.digest('hex');
}

/** Compile every catalogue, unless what lies there was made from these: building, checking and testing begin with it, and it takes seconds. */
export async function compileMessages() {
  const current = contents();
  if (existsSync(MADE) && readFileSync(MADE, 'utf8') === current && SETS.every((set) => existsSync(`${functions(set)}_index.js`))) return;
  rmSync(MADE, { force: true });
  const { compile } = await import('@inlang/paraglide-js');
  for (const set of SETS) {
    await compile(settings(set));
    const folder = functions(set);
    for (const file of readdirSync(folder).filter((name) => name !== '_index.js')) writeFileSync(folder + file, lean(readFileSync(folder + file, 'utf8')));
  }
  writeFileSync(MADE, current);
}

/**
 * Make a module lighter, for every player loads it: one object instead of hundreds of exports; no guards against inputs that are not given
 * and numbers that have no variant (the types exclude the first, a test the second); the rules for plurals, the same in every set, once.
 */
function lean(code) {
  return code
    .replaceAll('i?.', 'i.')
    .replace('* as registry from "../registry.js"', '{ plural } from "../../app/registry.js"')
    .replaceAll('registry.plural(', 'plural(')
    .replace(/const p = [^;]*;(?=\s*return)/g, '')
    .replace(/if \(\w+ === "other"\) (return .*)\n\s*return \/\*\* @type \{LocalizedString\} \*\/ \("\w+"\);/g, '$1')
    .replace('export const', 'export default {\nexport const')
    .replace(/^export const (\w+) =/gm, '$1:')
    .replace(/^\};?$/gm, '},')
    .concat('\n}');
}

/** Name number `n` of a, b, …, z, aa, ab, …. */
const short = (n) => (n >= 26 ? short(Math.floor(n / 26) - 1) : '') + String.fromCharCode(97 + (n % 26));

/** A short name for every message but those of the pages of rules: its full one stands in the catalogue and at each use, and compresses badly. */
export function shortNames() {
  const names = SETS.filter((set) => !set.endsWith('help')).flatMap((set) => Object.keys(JSON.parse(readFileSync(here(`messages/${set}/en.json`), 'utf8'))));
  return new Map(names.map((name, n) => [name, short(n)]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await compileMessages();
