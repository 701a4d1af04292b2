// Arrow keys find the neighbour that one sees, and the focus goes there.
import { afterEach, describe, expect, it } from 'vitest';
import { isArrow, nearest, walk } from './steer';

const box = (x: number, y: number, width = 40, height = 40) => ({ x, y, width, height });

describe('the nearest box', () => {
  it('follows a row of cards', () => {
    const row = [box(0, 0), box(50, 0), box(100, 0)];
    expect(nearest(row, row[1]!, 'ArrowRight')).toBe(2);
    expect(nearest(row, row[1]!, 'ArrowLeft')).toBe(0);
    expect(nearest(row, row[2]!, 'ArrowRight')).toBe(-1);
    expect(nearest(row, row[0]!, 'ArrowUp')).toBe(-1);
  });
  it('goes up from a card to the area above it, not to its neighbour', () => {
    const all = [box(0, 0, 300, 60), box(0, 100), box(50, 95), box(320, 0, 300, 60)];
    expect(nearest(all, all[1]!, 'ArrowUp')).toBe(0);
    expect(nearest(all, all[0]!, 'ArrowRight')).toBe(3);
    expect(nearest(all, all[0]!, 'ArrowDown')).toBeGreaterThan(0);
  });
  it('lies in the direction of an arrow and of no other key', () => {
    expect(isArrow('ArrowUp')).toBe(true);
    expect(isArrow('a')).toBe(false);
    expect(nearest([box(0, 0)], box(0, 100), 'a')).toBe(-1);
  });
});

describe('walking', () => {
  /** Four buttons in a row, the second cannot be pressed and the last is not shown; what fits `.first` is the third. */
  function row(): HTMLElement {
    document.body.innerHTML = '<div><button data-nav>0</button><button data-nav disabled>1</button><button data-nav class="first">2</button><button data-nav>3</button></div>';
    document.querySelectorAll('button').forEach((button, i) => {
      Object.defineProperty(button, 'offsetWidth', { value: i === 3 ? 0 : 40 });
      button.getBoundingClientRect = () => ({ ...box(50 * i, 0), toJSON: () => '' }) as DOMRect;
    });
    return document.querySelector('div')!;
  }
  const focused = () => document.activeElement!.textContent;
  afterEach(() => document.body.replaceChildren());

  it('begins with what comes first, passes over what cannot be reached, and stops at the end', () => {
    const root = row();
    walk(root, 'ArrowLeft', '.first');
    expect(focused()).toBe('2');
    walk(root, 'ArrowRight', '.first');
    expect(focused()).toBe('2');
    walk(root, 'ArrowLeft', '.first');
    expect(focused()).toBe('0');
  });
  it('begins at the very first where nothing fits', () => {
    walk(row(), 'ArrowLeft', '.none');
    expect(focused()).toBe('0');
  });
});
