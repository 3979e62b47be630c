import type { Message } from './message.js';
import type { Transcript } from './transcript.js';
import { type CountMessage, isSystem, type Marker, type View } from './view.js';

export interface MarkerRules {
  /** True or a text with `{count}` leaves a line where messages were dropped; false leaves none. */
  readonly marker: boolean | string;
  /** The first message after the system prompt must be the user's: a line is left there where it would not be. */
  readonly leadingUser: boolean;
}

const defaultText = '[{count} earlier messages were left out to save context]';

/** The line that a view needs in place of what was dropped: at the first gap, or where the provider wants a user's message. */
export function markerFor(
  view: View,
  transcript: Transcript,
  rules: MarkerRules,
  count: CountMessage,
): Marker | undefined {
  if (view.removed.size === 0) return undefined;
  const firstKept = view.entries.findIndex((entry) => !isSystem(entry));
  const startsWrong = rules.leadingUser && firstKept >= 0 && view.entries[firstKept]?.message.role !== 'user';
  if (rules.marker === false && !startsWrong) return undefined;
  const template = typeof rules.marker === 'string' ? rules.marker : defaultText;
  const message = {
    role: 'user' as const,
    content: template.replaceAll('{count}', String(view.removed.size)),
  };
  const position = startsWrong ? firstKept : firstGap(view, transcript);
  return { position, message, tokens: count(message).tokens };
}

function firstGap(view: View, transcript: Transcript): number {
  const gap = transcript.messages.find(({ id }) => view.removed.has(id))?.index ?? 0;
  const after = view.entries.findIndex(({ id }) => (transcript.get(id)?.index ?? -1) > gap);
  return after < 0 ? view.entries.length : after;
}

/** What a marker may cost a view of this transcript; planning leaves room for it. */
export function markerAllowance(transcript: Transcript, rules: MarkerRules, count: CountMessage): number {
  if (rules.marker === false && !rules.leadingUser) return 0;
  return count(markerMessage(rules, transcript.length)).tokens;
}

function markerMessage({ marker }: MarkerRules, dropped: number): Message {
  const template = typeof marker === 'string' ? marker : defaultText;
  return { role: 'user', content: template.replaceAll('{count}', String(dropped)) };
}
