// Codes of the wire turned into words of the language shown: colours, sets of cards, names, places, refusals.
import { locale, m } from '../../lib/i18n';
import type { MandalaRefusal, Refused } from '../../lib/wire';
import { entries, parse } from './counts';

/** Joins parts as the language does: "a, b". */
export const list = (parts: string[]): string => new Intl.ListFormat(locale, { type: 'unit', style: 'short' }).format(parts);

/** A colour's name: "red". */
export function colourName(colour: string): string {
  const names: Record<string, () => string> = {
    K: m.mandala_k, G: m.mandala_g, P: m.mandala_p, Y: m.mandala_y, O: m.mandala_o, R: m.mandala_r,
  }; // prettier-ignore
  return names[colour]?.() ?? colour;
}

/** Some cards of a colour: "2 red"; "?" are cards whose colour is unknown. */
export function some(colour: string, n: number): string {
  const names: Record<string, (i: { n: number }) => string> = {
    K: m.mandala_n_k, G: m.mandala_n_g, P: m.mandala_n_p, Y: m.mandala_n_y, O: m.mandala_n_o, R: m.mandala_n_r,
  }; // prettier-ignore
  return (names[colour] ?? m.mandala_n_cards)({ n });
}

/** A count string in words: "2 black, 1 red", "3 cards", "empty". */
export function cardsInWords(text: string): string {
  const parts = entries(text).map(([c, n]) => some(c, n));
  const { hidden } = parse(text);
  if (hidden) parts.push(m.mandala_n_cards({ n: hidden }));
  return parts.length ? list(parts) : m.mandala_empty();
}

/** Why something is forbidden, in words. */
export function refusalInWords(refusal: Pick<MandalaRefusal, 'code'>, colour: string): string {
  const named = { colour: colourName(colour) };
  const texts: Record<string, () => string> = {
    colour_in_mountain: () => m.mandala_no_mountain(named),
    colour_in_own_field: () => m.mandala_no_own(named),
    colour_in_other_field: () => m.mandala_no_other(named),
    must_keep_card: m.mandala_no_keep,
    not_in_hand: m.mandala_no_hand,
    nothing_to_draw: m.mandala_no_draw,
    must_claim: m.mandala_no_must_claim,
    not_claiming: m.mandala_no_not_claiming,
    not_in_mountain: m.mandala_no_colour_there,
    game_over: m.mandala_no_game_over,
    not_your_turn: m.mandala_no_turn,
    stale: m.mandala_no_stale,
  };
  return (texts[refusal.code] ?? m.mandala_no_sent)();
}

/** A refused command in words; for an illegal action the rule that forbids it. */
export function refusedInWords(refused: Refused): string {
  const colour = String(refused.params['colour'] ?? '');
  return refusalInWords({ code: (refused.code === 'illegal' && refused.rule) || refused.code }, colour);
}

/** Why a game ended; reasons that a newer server may know are left out. */
export function reasonInWords(reason: string | null | undefined): string {
  const texts: Record<string, () => string> = {
    sixth_colour: m.mandala_why_sixth_colour,
    last_mandala: m.mandala_why_last_mandala,
    stall: m.mandala_why_stall,
  };
  return texts[reason ?? '']?.() ?? '';
}
