// Keys and what they ask for; arrows lead along the lattice.
import { describe, expect, it } from 'vitest';
import { nearest } from '../steer';
import { artistCell, stackCell } from './lattice';
import { wish } from './keyboard';

const plain = { ctrlKey: false, metaKey: false, altKey: false };

it('understands letters for colours, digits for spaces, Q and Esc, and leaves the browser its own', () => {
  expect(wish({ key: 'y', ...plain })).toEqual({ kind: 'colour', key: 'Y' });
  expect(wish({ key: '4', ...plain })).toEqual({ kind: 'space', n: 4 });
  expect(wish({ key: 'q', ...plain })).toEqual({ kind: 'tops' });
  expect(wish({ key: 'Escape', ...plain })).toEqual({ kind: 'back' });
  expect(wish({ key: 'ArrowUp', ...plain })).toEqual({ kind: 'arrow', key: 'ArrowUp' });
  for (const key of ['6', '0', 'k', 'Enter', 'Tab', ' ', 'F5']) expect(wish({ key, ...plain })).toBeNull();
  expect(wish({ key: 'r', ...plain, ctrlKey: true })).toBeNull();
});

describe('the arrows on the main board', () => {
  const box = ({ row, column }: { row: number; column: number }) => ({ x: column * 50, y: row * 50, width: 50, height: 50 });
  const named = [...Array.from({ length: 9 }, (_, i) => [`A${i + 1}`, box(artistCell(i + 1))] as const), ...Array.from({ length: 24 }, (_, i) => [`S${i + 1}`, box(stackCell(i + 1))] as const)];
  const boxes = named.map(([, b]) => b);
  const go = (from: string, key: string) => named[nearest(boxes, boxes[named.findIndex(([name]) => name === from)]!, key)]?.[0];

  it('lead from an artist space to the stack beside it and on to the next space', () => {
    expect([go('A5', 'ArrowUp'), go('A5', 'ArrowRight'), go('A5', 'ArrowDown'), go('A5', 'ArrowLeft')]).toEqual(['S9', 'S13', 'S16', 'S12']);
    expect([go('S9', 'ArrowUp'), go('S13', 'ArrowRight')]).toEqual(['A2', 'A6']);
  });
  it('stop at the edge', () => {
    expect(go('S2', 'ArrowUp')).toBeUndefined();
    expect(go('S14', 'ArrowRight')).toBeUndefined();
  });
});
