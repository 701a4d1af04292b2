// Sheets and the browser's way back: while one lies open it has an entry in the history, so that Back closes it and leaves the page alone.

let open = 0;
let closeTop: (() => void) | null = null;
const entered = (): boolean => Boolean((history.state as { sheet?: boolean } | null)?.sheet);

globalThis.addEventListener?.('popstate', () => {
  if (!entered()) closeTop?.();
});

/** A sheet was opened, and is closed by `close`. Returns what to call when it is gone. One that takes another's place takes over its entry. */
export function sheet(close: () => void): () => void {
  open += 1;
  closeTop = close;
  if (!entered()) history.pushState({ sheet: true }, '');
  return () => {
    open -= 1;
    if (closeTop === close) closeTop = null;
    setTimeout(() => {
      if (!open && entered()) history.back();
    });
  };
}
