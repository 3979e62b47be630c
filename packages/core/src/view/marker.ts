import { type Message, madeMessage } from '../transcript/message.js';
import type { Transcript } from '../transcript/transcript.js';
import { handleOfRange } from './handle.js';
import type { Dropped } from './origins.js';
import { type CountMessage, isSystem, type Marker, type ViewEntry } from './view-entry.js';

export interface MarkerRules {
  /** True, or a text with `{count}`, leaves a line where messages were dropped. False leaves none. */
  readonly marker: boolean | string;
  /** The first message after the system prompt must be the user's. If it is not, a line is put before it. */
  readonly leadingUser: boolean;
  /** True: what was dropped can be read under a handle, and the line names it. */
  readonly handles?: boolean | undefined;
}

interface Shown {
  readonly entries: readonly ViewEntry[];
  readonly dropped: Dropped;
}

const defaultText = '[{count} earlier messages were left out to save context]';
const textWithHandles = '[{count} earlier messages were left out to save context: {handles}]';
/** Used if the assistant speaks first although nothing before it was dropped. */
const opening = '[The conversation goes on from here]';

/** The line that stands for dropped messages: at the first gap, or where the provider needs a user message. */
export function markerFor(
  view: Shown,
  transcript: Transcript,
  rules: MarkerRules,
  count: CountMessage,
): Marker | undefined {
  const hasGap = rules.marker !== false && view.dropped.count > 0;
  if (!rules.leadingUser && !hasGap) return undefined;
  const firstKept = view.entries.findIndex((entry) => !isSystem(entry));
  const first = view.entries[firstKept]?.message;
  const startsWrong =
    rules.leadingUser && first !== undefined && first.role !== 'user' && !isOwnSummary(first);
  if (!startsWrong && !hasGap) return undefined;
  const message = view.dropped.count === 0 ? user(opening) : markerMessage(rules, view.dropped);
  const start = firstKept < 0 ? view.entries.length : firstKept;
  const gap = startsWrong ? 0 : firstGap(view, transcript);
  // After the system prompts, so that it stays there if the assistant speaks next.
  const position = rules.leadingUser ? Math.max(start, gap) : gap;
  return { position, message, tokens: count(message).tokens };
}

/** True for a summary that the provider itself wrote in place of everything before it: it goes first. */
export function isOwnSummary({ summary, content }: Message): boolean {
  return summary === true && typeof content !== 'string' && content[0]?.type === 'opaque';
}

/** The position of the first message after the gap, but never between a call and its results. */
function firstGap({ entries, dropped }: Shown, transcript: Transcript): number {
  const gap = dropped.first ?? 0;
  const after = entries.findIndex(({ id }) => (transcript.get(id)?.index ?? -1) > gap);
  let position = after < 0 ? entries.length : after;
  while (entries[position]?.message.role === 'tool') position -= 1;
  return position;
}

/** The most tokens that a marker may cost in a view of this transcript. Planning reserves them. */
export function markerAllowance(transcript: Transcript, rules: MarkerRules, count: CountMessage): number {
  if (rules.marker === false && !rules.leadingUser) return 0;
  const { length } = transcript;
  const dropped = count(markerMessage(rules, { count: length, first: length, last: length + 1 })).tokens;
  return rules.leadingUser ? Math.max(dropped, count(user(opening)).tokens) : dropped;
}

function markerMessage({ marker, handles }: MarkerRules, { count, first, last }: Dropped): Message {
  const template = typeof marker === 'string' ? marker : handles ? textWithHandles : defaultText;
  const range = handles && first !== undefined && last !== undefined ? handleOfRange(first, last) : '';
  return user(template.replaceAll('{count}', String(count)).replaceAll('{handles}', range));
}

function user(content: string): Message {
  return madeMessage({ role: 'user', content });
}
