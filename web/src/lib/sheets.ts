// Sheets and the browser's way back: while one lies open it has an entry in the history, so that Back closes it and leaves the page alone.

let open = 0;
let closeTop: (() => void) | null = null;
/** On the way back to the page itself, which takes browsers a moment. */
let leaving = false;
const entered = (): boolean => Boolean((history.state as { sheet?: boolean } | null)?.sheet);
const enter = (): void => history.pushState({ sheet: true }, '');

globalThis.addEventListener?.('popstate', () => {
  if (!leaving) {
    if (!entered()) closeTop?.();
    return;
  }
  leaving = false;
  // Another one has been opened meanwhile.
  if (open && !entered()) enter();
});

/** A sheet was opened, and is closed by `close`. Returns what to call when it is gone. One that takes another's place takes over its entry. */
export function sheet(close: () => void): () => void {
  open += 1;
  closeTop = close;
  if (!leaving && !entered()) enter();
  return () => {
    open -= 1;
    if (closeTop === close) closeTop = null;
    setTimeout(() => {
      if (open || leaving || !entered()) return;
      leaving = true;
      history.back();
    });
  };
}
