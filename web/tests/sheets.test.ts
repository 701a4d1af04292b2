// Sheets and the way back: one entry of the history for however many follow each other, and Back closes the one that lies open.
import { beforeEach, expect, it, vi } from 'vitest';
import { sheet } from '../src/lib/sheets';

/** A history that goes back a little later, as browsers do. */
const entries: unknown[] = [null];
beforeEach(() => {
  entries.length = 1;
  vi.useFakeTimers();
  vi.spyOn(history, 'state', 'get').mockImplementation(() => entries.at(-1));
  vi.spyOn(history, 'pushState').mockImplementation((state) => void entries.push(state));
  vi.spyOn(history, 'back').mockImplementation(() => void setTimeout(back, 50));
});

function back(): void {
  entries.pop();
  dispatchEvent(new PopStateEvent('popstate'));
}

it('gives an open sheet an entry, and takes it away when it is closed otherwise', () => {
  const gone = sheet(() => undefined);
  expect(entries).toEqual([null, { sheet: true }]);
  gone();
  vi.runAllTimers();
  expect(entries).toEqual([null]);
});

it('closes the sheet when the reader goes back', () => {
  const close = vi.fn();
  const gone = sheet(close);
  back();
  expect(close).toHaveBeenCalledOnce();
  gone();
  vi.runAllTimers();
  expect(entries).toEqual([null]);
});

it('hands the entry on to a sheet that takes its place', () => {
  const close = vi.fn();
  const gone = sheet(() => undefined);
  gone();
  const later = sheet(close);
  vi.runAllTimers();
  expect(entries).toHaveLength(2);
  expect(close).not.toHaveBeenCalled();
  later();
  vi.runAllTimers();
  expect(entries).toHaveLength(1);
});

it('gives an entry to a sheet that is opened while the last one is still being left', () => {
  const close = vi.fn();
  const gone = sheet(() => undefined);
  gone();
  vi.advanceTimersByTime(10);
  const later = sheet(close);
  vi.runAllTimers();
  expect(entries).toHaveLength(2);
  expect(close).not.toHaveBeenCalled();
  back();
  expect(close).toHaveBeenCalledOnce();
  later();
  vi.runAllTimers();
  expect(entries).toHaveLength(1);
});
