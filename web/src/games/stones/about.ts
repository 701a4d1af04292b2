// What the pages round the table say of Mandala Stones: its name, and the game in two sentences.
import { m } from '../../lib/i18n';

export const name = (): string => m.game_stones();
export const lead = (): string => m.home_lead_stones();
