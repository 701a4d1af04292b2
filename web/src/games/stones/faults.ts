// Why a rules file cannot be, in words: a sentence's end for every code of a reason. Fetched with its messages when a file was refused.
import { m } from '../../lib/i18n';

type Params = Readonly<Record<string, string | number>>;

/** The reason in words; one that a newer server may know stays its code. */
export function faultInWords(params: Params): string {
  const get = (name: string): string | number => params[name] ?? '';
  const texts: Record<string, () => string> = {
    missing: m.fault_missing,
    unknown: m.fault_unknown,
    kind: m.fault_kind,
    value: m.fault_value,
    form: m.fault_form,
    no_text: m.fault_no_text,
    at_least: () => m.fault_at_least({ n: get('n') }),
    at_most: () => m.fault_at_most({ n: get('n') }),
    length: () => m.fault_length({ n: get('n') }),
    at_least_long: () => m.fault_at_least_long({ n: get('n') }),
    at_most_long: () => m.fault_at_most_long({ n: get('n') }),
    exactly: () => m.fault_exactly({ n: get('n') }),
    one_line: m.fault_one_line,
    order: () => m.fault_order({ wanted: get('wanted') }),
    fill: () => m.fault_fill({ height: get('height'), stacks: get('stacks'), stones: get('stones') }),
    apart: m.fault_apart,
    two_of_each: m.fault_two_of_each,
    all_spaces: () => m.fault_all_spaces({ found: get('found') }),
    four_stacks: m.fault_four_stacks,
    beside: () => m.fault_beside({ found: get('found'), stack: get('stack') }),
    opposite: () => m.fault_opposite({ one: get('one'), other: get('other'), stack: get('stack') }),
    alike: m.fault_alike,
    no_place: () => m.fault_no_place({ n: get('n'), place: get('place') }),
    rising: m.fault_rising,
    too_many: () => m.fault_too_many({ seats: get('seats'), spaces: get('spaces'), stones: get('stones') }),
    few_cards: () => m.fault_few_cards({ found: get('found') }),
    ids: m.fault_ids,
    of: () => m.fault_of({ wanted: get('wanted') }),
    of_nothing: () => m.fault_of_nothing({ count: get('count') }),
  };
  const reason = String(params['reason'] ?? '');
  return texts[reason]?.() ?? reason;
}
