import { type Message, madeMessage } from '../transcript/message.js';
import type { Transcript } from '../transcript/transcript.js';
import { type CountMessage, type Dropped, isSystem, type Marker, type ViewEntry } from './view-entry.js';

export interface MarkerRules {
  /** True or a text with `{count}` leaves a line where messages were dropped; false leaves none. */
  readonly marker: boolean | string;
  /** The first message after the system prompt must be the user's: a line is left there where it would not be. */
  readonly leadingUser: boolean;
}

interface Shown {
  readonly entries: readonly ViewEntry[];
  readonly dropped: Dropped;
}

const defaultText = '[{count} earlier messages were left out to save context]';
/** Where the assistant speaks first though nothing was dropped before it. */
const opening = '[The conversation goes on from here]';

/** The line that a view needs in place of what was dropped: at the first gap, or where the provider wants a user's message. */
export function markerFor(
  view: Shown,
  transcript: Transcript,
  rules: MarkerRules,
  count: CountMessage,
): Marker | undefined {
  if (!rules.leadingUser && (rules.marker === false || view.dropped.count === 0)) return undefined;
  const firstKept = view.entries.findIndex((entry) => !isSystem(entry));
  const startsWrong = rules.leadingUser && firstKept >= 0 && view.entries[firstKept]?.message.role !== 'user';
  if (!startsWrong && (rules.marker === false || view.dropped.count === 0)) return undefined;
  const message = view.dropped.count === 0 ? user(opening) : markerMessage(rules, view.dropped.count);
  const start = firstKept < 0 ? view.entries.length : firstKept;
  // Behind the system prompts, where it stays when the assistant is the next to speak.
  const position = rules.leadingUser
    ? Math.max(start, startsWrong ? 0 : firstGap(view, transcript))
    : firstGap(view, transcript);
  return { position, message, tokens: count(message).tokens };
}

/** Before the first message after the gap, and not between a call and its results. */
function firstGap({ entries, dropped }: Shown, transcript: Transcript): number {
  const gap = dropped.first ?? 0;
  const after = entries.findIndex(({ id }) => (transcript.get(id)?.index ?? -1) > gap);
  let position = after < 0 ? entries.length : after;
  while (entries[position]?.message.role === 'tool') position -= 1;
  return position;
}

/** What a marker may cost a view of this transcript; planning leaves room for it. */
export function markerAllowance(transcript: Transcript, rules: MarkerRules, count: CountMessage): number {
  if (rules.marker === false && !rules.leadingUser) return 0;
  const dropped = count(markerMessage(rules, transcript.length)).tokens;
  return rules.leadingUser ? Math.max(dropped, count(user(opening)).tokens) : dropped;
}

function markerMessage({ marker }: MarkerRules, dropped: number): Message {
  const template = typeof marker === 'string' ? marker : defaultText;
  return user(template.replaceAll('{count}', String(dropped)));
}

function user(content: string): Message {
  return madeMessage({ role: 'user', content });
}
