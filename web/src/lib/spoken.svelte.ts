// Which messages are spoken, as state: a change of language rewrites every text in its place, and nothing is drawn anew.

class Spoken {
  messages = $state.raw<object>({});
}

export const spoken = new Spoken();
