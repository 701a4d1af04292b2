// What the pages round the table say of Mandala: its name, and the game in two sentences.
import { m } from '../../lib/i18n';

export const name = (): string => m.game_mandala();
export const lead = (): string => m.home_lead_mandala();
