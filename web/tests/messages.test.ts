// The message catalogues: every language has every message with the same parameters, and every message is used.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LOCALES } from '../src/lib/i18n';

interface Variants {
  declarations: string[];
  match: Record<string, string>;
}
type Message = string | [Variants];
type Catalogue = Record<string, Message>;

const root = join(import.meta.dirname, '..');
const locales = Object.keys(LOCALES);
const catalogues = readdirSync(join(root, 'messages'));
const read = (name: string, locale: string) => JSON.parse(readFileSync(join(root, 'messages', name, `${locale}.json`), 'utf8')) as Catalogue;

/** Every text of a message: the one, or those of its variants. */
const texts = (message: Message) => (typeof message === 'string' ? [message] : Object.values(message[0].match));

/** Names of what a message must be given, sorted. */
function parameters(message: Message): string[] {
  const names = texts(message).flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!));
  const declared = typeof message === 'string' ? [] : message[0].declarations.flatMap((line) => line.match(/^input (\w+)/)?.[1] ?? []);
  return [...new Set([...names, ...declared])].sort();
}

/** All source text in which a message could be used. */
const source = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(ts|svelte)$/.test(path) && !path.startsWith('paraglide') && !path.endsWith('.test.ts'))
  .map((path) => readFileSync(join(root, 'src', path), 'utf8'))
  .join('\n');

describe.each(catalogues)('%s', (name) => {
  const english = read(name, 'en');

  it.each(locales)('%s has every message, no other, and the same parameters', (locale) => {
    const other = read(name, locale);
    expect(Object.keys(other).sort()).toEqual(Object.keys(english).sort());
    for (const [key, message] of Object.entries(english)) expect([key, parameters(other[key]!)]).toEqual([key, parameters(message)]);
  });

  it.each(locales)('%s has a text for every number', (locale) => {
    const categories = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
    for (const [key, message] of Object.entries(read(name, locale))) {
      if (typeof message === 'string') continue;
      const given = Object.keys(message[0].match).map((match) => match.split('=')[1]!);
      if (given.includes('*')) continue;
      // `many` stands for millions and above in Portuguese: nothing here is counted so far.
      expect([key, categories.filter((category) => category !== 'many' && !given.includes(category))]).toEqual([key, []]);
    }
  });

  it.each(locales)('%s has no empty text and none in capitals only', (locale) => {
    for (const [key, message] of Object.entries(read(name, locale))) {
      for (const text of texts(message)) {
        expect(text.trim(), key).not.toBe('');
        expect(/\p{Lu}{6,}/u.test(text), key).toBe(false);
      }
    }
  });

  it('uses every message', () => {
    const object = name.endsWith('help') ? 'h' : 'm';
    const unused = Object.keys(english).filter((key) => !new RegExp(`\\b${object}\\.${key}\\b|\\b${object}\\['${key}'\\]`).test(source));
    expect(unused).toEqual([]);
  });
});

it('has no message in two catalogues that are loaded together', () => {
  const keys = catalogues.filter((name) => !name.endsWith('help')).flatMap((name) => Object.keys(read(name, 'en')));
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
});
