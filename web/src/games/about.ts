// What the pages round the table say of each game. Light, because every page has it; a game without an entry goes by its id.
import * as mandala from './mandala/about';
import * as stones from './stones/about';

const ABOUT: Readonly<Record<string, { name: () => string; lead: () => string }>> = { mandala, stones };

/** A game's name. */
export const gameName = (id: string): string => ABOUT[id]?.name() ?? id;
/** A game in two sentences. */
export const gameLead = (id: string): string => ABOUT[id]?.lead() ?? '';
/** The game whose rules are shown where none is spoken of. */
export const [FIRST] = Object.keys(ABOUT);
