// Compiles the message catalogues (messages/*/{locale}.json) to functions, one module a locale, under src/paraglide.
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
  for (const set of SETS) await compile(settings(set));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await compileMessages();
