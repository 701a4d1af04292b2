// Nothing jumps: what has shifted when a picture changed glides from where it was. Call before the change, then the result after it.

/** Remembers where every `[data-glide]` element lies; the returned function lets those that moved glide to their new place, after `delay` milliseconds. */
export function glide(root: HTMLElement): (delay: number) => void {
  const before = new Map<string, DOMRect>();
  const all = () => root.querySelectorAll<HTMLElement>('[data-glide]');
  for (const e of all()) before.set(e.dataset['glide']!, e.getBoundingClientRect());
  return (delay) => {
    for (const e of all()) {
      const was = before.get(e.dataset['glide']!);
      const now = e.getBoundingClientRect();
      const [x, y] = was ? [was.x - now.x, was.y - now.y] : [0, 0];
      if (Math.abs(x) + Math.abs(y) < 1) continue;
      e.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: 'none' }], { duration: 300, delay, fill: 'backwards', easing: 'cubic-bezier(.3,.7,.2,1)' });
    }
  };
}
