// Compiles the message catalogues (messages/*/{locale}.json) to functions, one module a locale, under src/paraglide.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile } from '@inlang/paraglide-js';

/** Path of a file of this project, whatever the working directory. */
export const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The two sets: what every page needs, and the help pages, which are loaded only when opened. */
const SETS = ['app', 'help'];

/** Settings shared by the build and this script. One module a locale lets the browser load only the language that it shows. */
export const settings = (set) => ({
  project: here(`${set}.inlang`),
  outdir: here(`src/paraglide/${set}`),
  outputStructure: 'locale-modules',
  emitReadme: false,
  emitPrettierIgnore: false,
  cleanOutdir: false,
});

/** Compile every catalogue. */
export async function compileMessages() {
  for (const set of SETS) {
    await compile(settings(set));
    const folder = here(`src/paraglide/${set}/messages/`);
    for (const file of readdirSync(folder)) writeFileSync(folder + file, lean(readFileSync(folder + file, 'utf8')));
  }
}

/**
 * Leave out the guards against inputs that are not given and numbers that have no variant: the types exclude the first, a test the second.
 * They stand in every message, and every player would load them.
 */
function lean(code) {
  return code
    .replaceAll('i?.', 'i.')
    .replace(/if \(\w+ === "other"\) (return .*)\n\s*return \/\*\* @type \{LocalizedString\} \*\/ \("\w+"\);/g, '$1');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await compileMessages();
