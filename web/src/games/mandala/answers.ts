// Answers to what was touched: with its messages fetched as soon as the table stands, which needs none at first.
import { m } from '../../lib/i18n';
import type { MandalaRefusal, Refused } from '../../lib/wire';
import { colourName } from './words';

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
