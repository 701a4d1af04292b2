// Addresses: what leads where, and that everything else leads to a page too.
import { describe, expect, it } from 'vitest';
import { parseRoute, paths, router } from '../src/lib/router.svelte';

describe('parseRoute', () => {
  it.each([
    ['/', { page: 'home' }],
    ['/t/k3v9w2hq7m4x', { page: 'table', id: 'k3v9w2hq7m4x' }],
    ['/t/k3v9w2hq7m4x/', { page: 'table', id: 'k3v9w2hq7m4x' }],
    ['/j/pddfqu', { page: 'join', code: 'PDDFQU' }],
    ['/help/mandala', { page: 'help', game: 'mandala' }],
    ['/t', { page: 'missing' }],
    ['/t/a/b', { page: 'missing' }],
    ['/t/%2e%2e', { page: 'missing' }],
    [`/t/${'x'.repeat(65)}`, { page: 'missing' }],
    ['/x', { page: 'missing' }],
  ])('%s', (path, route) => expect(parseRoute(path)).toEqual(route));

  it('understands the paths it makes', () => {
    expect(parseRoute(paths.table('abc'))).toEqual({ page: 'table', id: 'abc' });
    expect(parseRoute(paths.join('ABC'))).toEqual({ page: 'join', code: 'ABC' });
    expect(parseRoute(paths.help('mandala'))).toEqual({ page: 'help', game: 'mandala' });
  });
});

describe('router', () => {
  it('moves without loading the document when a link is clicked', () => {
    document.body.innerHTML = '<a href="/help/mandala"><b>rules</b></a>';
    document.querySelector('b')!.click();
    expect(router.route).toEqual({ page: 'help', game: 'mandala' });
    expect(location.pathname).toBe('/help/mandala');
  });

  it.each(['<a href="/api/x">', '<a href="/" download>', '<a href="/" target="_blank">', '<a href="#part">'])('leaves %s to the browser', (html) => {
    router.go('/t/abc');
    document.body.innerHTML = html;
    const link = document.querySelector('a')!;
    link.addEventListener('click', (event) => event.preventDefault(), { once: true });
    link.click();
    expect(router.route).toEqual({ page: 'table', id: 'abc' });
  });
});
