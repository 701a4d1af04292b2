// Every visible text that is cut off by a box or the window, or whose letters a style changes; runs in the page.
() => {
  if (getComputedStyle(document.documentElement).opacity !== '1') throw Error('nothing is drawn here');
  const found = [];
  const named = (element) => [element.tagName, ...element.classList].join('.');
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent.trim();
    const parent = node.parentElement;
    const seen = parent.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (!text || !seen || parent.closest('script, style, noscript, option')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter((box) => box.width > 0 && box.height > 0);
    const lead = Math.max(0, ((boxes[0]?.height ?? 0) - (parseFloat(getComputedStyle(parent).lineHeight) || Infinity)) / 2);
    let unseen = false, cut = null;
    for (let element = parent; element && !unseen; element = element.parentElement) {
      const style = getComputedStyle(element);
      const area = element.getBoundingClientRect();
      unseen = style.clipPath !== 'none' || (area.width <= 1 && area.height <= 1);
      const hides = (value) => value === 'hidden' || value === 'clip';
      const scrolls = (value) => value === 'auto' || value === 'scroll';
      if (scrolls(style.overflowY) && scrolls(style.overflowX)) break;
      // A line's box is often lower than the font's: what is above and below the line holds no ink.
      for (const box of boxes) {
        const sideways = box.right > area.right + 1.5 || box.left < area.left - 1.5;
        const upright = box.bottom - lead > area.bottom + 2 || box.top + lead < area.top - 2;
        if (hides(style.overflowX) && sideways) cut ??= 'sideways in ' + named(element);
        if (hides(style.overflowY) && upright) cut ??= 'up or down in ' + named(element);
      }
    }
    if (!unseen && boxes.some((box) => box.right > innerWidth + 1 || box.left < -1)) cut ??= 'by the edge of the window';
    if (!unseen && cut) found.push(`${text.slice(0, 60)}: ${cut}`);
    if (getComputedStyle(parent).textTransform !== 'none') found.push(`${text.slice(0, 60)}: letters changed by style`);
  }
  if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways');
  return found;
}
