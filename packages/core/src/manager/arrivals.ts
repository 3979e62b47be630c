import { jsonText } from '../base/json.js';
import { inSlices, type Steps } from '../base/slices.js';
import type { SafeEmitter } from '../compress/events.js';
import type { CompressionRecord } from '../compress/record.js';
import { given } from '../config/config.js';
import { defaultArrivals, type Settings } from '../config/config-keys.js';
import { withoutEncoded } from '../kit/encoded.js';
import { resultExcerpt } from '../kit/result-excerpt.js';
import {
  itemsOf,
  type Message,
  type MessageId,
  messageText,
  outputText,
  type Part,
  partsOf,
  partText,
} from '../transcript/message.js';
import type { Transcript, TranscriptMessage } from '../transcript/transcript.js';
import type { Conversation } from '../view/conversation.js';
import { replacePart } from '../view/edited-message.js';
import { handleOf } from '../view/handle.js';
import { isPinned } from '../view/protection.js';
import { type ArchiveLog, archivedMessage } from './archive-log.js';

type Said = Pick<Conversation, 'transcript' | 'counter' | 'count' | 'pins' | 'unsent'>;
type ArrivalSettings = Pick<Settings, 'arrivals' | 'recallTool'>;

/** UTF-16 units that are read of each text that says what is asked for. A limit. */
const longestQuestion = 20_000;

/** Archives new results that are too large. What the archive has is sent as an excerpt, and an event says so. */
export async function shortenArrivals(
  conversation: Conversation<CompressionRecord>,
  archive: ArchiveLog,
  settings: ArrivalSettings,
  slices: Parameters<typeof inSlices>[1],
  events: SafeEmitter,
): Promise<void> {
  const excerpts = await inSlices(excerptsIn(conversation, settings), slices);
  if (excerpts.size === 0) return;
  const numberOf = (id: MessageId) => (conversation.transcript.get(id)?.index ?? 0) + 1;
  await archive.before(Math.max(...[...excerpts.keys()].map(numberOf)));
  // Meanwhile the conversation may have gone on.
  const unsent = conversation.unsent.filter(({ id }) => excerpts.has(id) && archive.has(numberOf(id)));
  conversation.shorten(new Map(unsent.map(({ id }) => [id, excerpts.get(id) as Message])));
  for (const { id, index, message, excerpt } of unsent.flatMap(
    ({ id }) => conversation.transcript.get(id) ?? [],
  ))
    events.emit('arrival-shorten', {
      id,
      tools: partsOf(message).flatMap((part) => (part.type === 'tool-result' ? part.toolName : [])),
      tokensBefore: conversation.count(message).tokens,
      tokensAfter: conversation.count(excerpt ?? message).tokens,
      handle: handleOf(index),
    });
}

/** The excerpts of results that are too large and were never sent. They depend on nothing but what was said and the settings. */
function* excerptsIn(conversation: Said, settings: ArrivalSettings): Steps<Map<MessageId, Message>> {
  const excerpts = new Map<MessageId, Message>();
  for (const said of conversation.unsent) {
    const { id, message } = said;
    if (isPinned(said, conversation.pins)) continue;
    let excerpt = message;
    for (const part of (message.content as readonly Part[]).keys()) {
      const text = yield* excerptOf(said, part, conversation, settings);
      if (text !== undefined) excerpt = replacePart(excerpt, { part, text }) ?? excerpt;
    }
    if (conversation.count(excerpt).tokens < conversation.count(message).tokens) excerpts.set(id, excerpt);
  }
  return excerpts;
}

function* excerptOf(
  { message, index }: TranscriptMessage,
  part: number,
  { transcript, counter }: Said,
  { arrivals, recallTool }: ArrivalSettings,
): Steps<string | undefined> {
  const parts = partsOf(message);
  const result = parts[part];
  if (result?.type !== 'tool-result' || arrivals === false || result.toolName === recallTool)
    return undefined;
  const { output, toolName, toolCallId } = result;
  const own = Object.hasOwn(arrivals.tools ?? {}, toolName) ? arrivals.tools?.[toolName] : {};
  const hasMedia = itemsOf(result).some(({ type }) => type !== 'text');
  if (own === false || hasMedia) return undefined;
  const { over, to } = { ...defaultArrivals, ...given(arrivals), ...given(own) } as typeof defaultArrivals;
  const whole = outputText(output);
  const tokens = yield* counter.textInSteps(whole);
  if (tokens <= over) return undefined;
  const calls = archivedMessage(transcript, index + 1)?.calls;
  const input = calls?.find((call) => call.toolCallId === toolCallId)?.input;
  if (asksForPart(input) || wasShortened(whole, transcript)) return undefined;
  const text = withoutEncoded(whole);
  const before = parts.slice(0, part).flatMap((one) => partText(one) || []);
  const asking = [transcript.newestUser, transcript.task].map((said) => said && messageText(said.message));
  return yield* resultExcerpt({
    text,
    tokens,
    maxTokens: to,
    asked: [jsonText(input), ...asking].map((one) => one?.slice(0, longestQuestion)).join('\n'),
    handle: handleOf(index),
    firstLine: text === whole ? [...before, ''].join('\n').split('\n').length : undefined,
    recallTool,
    countInSteps: (some) => counter.textInSteps(some),
  });
}

/** True if the model had an excerpt of this very text and asked again: it wants all of it. */
function wasShortened(text: string, { messages }: Transcript): boolean {
  return messages.some(
    ({ message, excerpt }) =>
      excerpt !== undefined && partsOf(message).some((part) => partText(part) === text),
  );
}

/** Arguments that ask for a part of something, by figures: lines, pages, a number of results. */
const partArgument =
  /^(?:offset|(?:head_?)?limit|(?:(?:view|read|line)_?)?ranges?|(?:start|end|from|to|first|last)_?(?:line|row|page)(?:_?number|_one_indexed\w*)?|(?:(?:num|max)_?)?lines?|line_?(?:start|end|count)|pages?|head|tail|should_read_entire_file)$/i;
/** Behind the last pipe, commands whose output is what was asked for: `sed -n 1,200p a.ts`, `… | head -100`. */
const partCommand = /(?:^|[;&\n]) *(?:head|tail|sed -n) /;

/**
 * True if the arguments of a call say how much it wants to see.
 * @param depth levels of objects and lists that were entered
 */
function asksForPart(input: unknown, depth = 0): boolean {
  if (typeof input !== 'object' || input === null || depth > 2) return false;
  return Object.entries(input).some(([name, value]) => {
    if (value === null || value === '' || value === false) return false;
    if (/^(?:command|cmd)$/.test(name))
      return [value].flat().some((one) => partCommand.test(String(one).split('|').at(-1) ?? ''));
    const isName =
      typeof value === 'string' && !/range/i.test(name) && (!/\d/.test(value) || /[a-z]{2}/i.test(value));
    return (partArgument.test(name) && !isName) || asksForPart(value, depth + 1);
  });
}
