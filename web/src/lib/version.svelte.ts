// When the server has been given a newer client: files that this page would still load are gone. It loads anew by itself where nothing is lost.

const KEY = 'sandriver.renewed';

class Version {
  /** A newer client is there, and this page must be loaded anew to go on. */
  stale = $state(false);
  /** Each says whether the page holds something that a reload would lose. */
  readonly holds = new Set<() => boolean>();

  /** A file could not be had. If that is because it is gone, load the page anew, or say so. */
  async missing(): Promise<void> {
    const entry = document.querySelector('script[type=module][src]')?.getAttribute('src');
    const page = await fetch('/', { cache: 'no-cache' }).then(
      (answer) => (answer.ok ? answer.text() : ''),
      () => '',
    );
    if (!entry || !page.includes('type="module"') || page.includes(entry)) return;
    this.stale = true;
    // Once only for each version: a server that says one thing and sends another must not keep a page loading for ever.
    if ([...this.holds].some((holds) => holds()) || sessionStorage.getItem(KEY) === entry) return;
    sessionStorage.setItem(KEY, entry);
    location.reload();
  }
}

export const version = new Version();
