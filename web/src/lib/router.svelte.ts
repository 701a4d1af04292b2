// Addresses: which page belongs to which, and moving between them without loading the document anew.
export type Route =
  | { page: 'home' }
  | { page: 'table'; id: string }
  | { page: 'join'; code: string }
  | { page: 'help'; game: string }
  | { page: 'replay' }
  | { page: 'missing' };

/** The page of a path. Whatever is not understood is `missing`, which is a page too. */
export function parseRoute(path: string): Route {
  const parts = path.split('/').filter(Boolean);
  const [area, name] = parts;
  if (!area) return { page: 'home' };
  if (area === 'replay' && parts.length === 1) return { page: 'replay' };
  if (parts.length === 2 && name) {
    if (area === 't' && /^[\w-]{1,64}$/.test(name)) return { page: 'table', id: name };
    if (area === 'j' && /^[\w-]{1,16}$/.test(name)) return { page: 'join', code: name.toUpperCase() };
    if (area === 'help' && /^[a-z_]{1,32}$/.test(name)) return { page: 'help', game: name };
  }
  return { page: 'missing' };
}

export const paths = {
  home: '/',
  table: (id: string) => `/t/${id}`,
  join: (code: string) => `/j/${code}`,
  help: (game: string) => `/help/${game}`,
  replay: '/replay',
};

class Router {
  route = $state.raw<Route>(parseRoute(location.pathname));
  /** Counts the moves: the page that comes takes the focus, the first one does not. */
  moves = $state(0);

  #path = location.pathname;

  constructor() {
    // Within one page, an entry more or less is a sheet that was opened or closed there.
    addEventListener('popstate', () => location.pathname !== this.#path && this.#show());
    document.addEventListener('click', (event) => this.#click(event));
  }

  /** Go to a path; `replace` leaves no way back to the present one. */
  go(path: string, { replace = false } = {}): void {
    const sheet = (history.state as { sheet?: boolean } | null)?.sheet;
    history[replace || sheet || path === location.pathname ? 'replaceState' : 'pushState'](null, '', path);
    scrollTo(0, 0);
    this.#show();
  }

  #show(): void {
    this.#path = location.pathname;
    this.route = parseRoute(location.pathname);
    this.moves += 1;
  }

  /** A plain click on a link within the client moves here; every other one is the browser's. */
  #click(event: MouseEvent): void {
    const link = (event.target as Element | null)?.closest?.('a');
    if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.target || link.hasAttribute('download') || link.origin !== location.origin || link.hash || link.pathname.startsWith('/api/')) return;
    event.preventDefault();
    this.go(link.pathname + link.search);
  }
}

/** The address bar. */
export const router = new Router();
