// Names of actions, composed from what was chosen and taken apart again. No rules: whether one may be played, the view's legal list says.

/** What an action says: a pick, the colour scored, or the own spaces whose tops are scored. */
export type Said =
  | { readonly kind: 'pick'; readonly artist: number; readonly to: number; readonly first: number; readonly space: number }
  | { readonly kind: 'colour'; readonly colour: string }
  | { readonly kind: 'tops'; readonly spaces: readonly number[] };

/** `pA2-A5:S09@3`: artist and destination 1..9, stack of the first stone 1..24, own space 1..5. */
export const pickAction = (artist: number, to: number, first: number, space: number): string =>
  `pA${artist}-A${to}:S${String(first).padStart(2, '0')}@${space}`;

/** `q135`: the own spaces whose tops are scored, written rising. */
export const topsAction = (spaces: readonly number[]): string => `q${[...spaces].sort().join('')}`;

/** An action taken apart; null for a skipped turn, or what a newer server may know. */
export function read(action: string): Said | null {
  const pick = /^pA(\d)-A(\d):S(\d\d)@(\d)$/.exec(action);
  if (pick) {
    const [artist, to, first, space] = pick.slice(1).map(Number) as [number, number, number, number];
    return { kind: 'pick', artist, to, first, space };
  }
  if (/^s[YRBP]$/.test(action)) return { kind: 'colour', colour: action[1]! };
  if (/^q[1-5]+$/.test(action)) return { kind: 'tops', spaces: [...action.slice(1)].map(Number) };
  return null;
}
