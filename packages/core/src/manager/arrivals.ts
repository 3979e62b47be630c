import { equal } from '../base/equal.js';
import { jsonText } from '../base/json.js';
import { isFields } from '../base/native.js';
import { inSlices, type Steps } from '../base/slices.js';
import type { CompressionRecord } from '../compress/record.js';
import { defaultArrivals, type Settings } from '../config/config-keys.js';
import { given } from '../config/config-layers.js';
import { withoutEncoded } from '../kit/encoded.js';
import { resultExcerpt } from '../kit/result-excerpt.js';
import {
  isTextOutput,
  type Message,
  type MessageId,
  messageText,
  type Part,
  partText,
  type ToolCallPart,
} from '../transcript/message.js';
import type { TranscriptMessage } from '../transcript/transcript.js';
import type { Conversation } from '../view/conversation.js';
import { replacePart } from '../view/edited-message.js';
import { handleOf } from '../view/handle.js';
import type { ArchiveLog } from './archive-log.js';
import { archivedMessage, isKept } from './archived-message.js';

type Said = Pick<Conversation, 'transcript' | 'counter' | 'count' | 'pins' | 'unsent'>;
type ArrivalSettings = Pick<Settings, 'arrivals' | 'recallTool'>;

/** UTF-16 units that are read of each text that says what is asked for. A limit. */
const longestQuestion = 20_000;

/** Archives new results that are too large. What the archive has is sent as an excerpt. */
export async function shortenArrivals(
  conversation: Conversation<CompressionRecord>,
  archive: ArchiveLog,
  settings: ArrivalSettings,
  slices: Parameters<typeof inSlices>[1],
): Promise<void> {
  const excerpts = await inSlices(excerptsIn(conversation, settings), slices);
  if (excerpts.size === 0) return;
  const numberOf = (id: MessageId) => (conversation.transcript.get(id)?.index ?? 0) + 1;
  await archive.before(Math.max(...[...excerpts.keys()].map(numberOf)));
  conversation.shorten(new Map([...excerpts].filter(([id]) => archive.has(numberOf(id)))));
}

/** The excerpts of results that are too large and were never sent. It depends on nothing but what was said and the settings. */
function* excerptsIn(conversation: Said, settings: ArrivalSettings): Steps<Map<MessageId, Message>> {
  const excerpts = new Map<MessageId, Message>();
  for (const said of conversation.unsent) {
    yield;
    const { id, message } = said;
    const isPinned = conversation.pins.has(id) || message.pinned === true || message.priority === 'CRITICAL';
    if (isPinned || !isKept(message, settings.recallTool)) continue;
    const excerpt = yield* excerptOf(said, conversation, settings);
    if (excerpt === message) continue;
    if (conversation.count(excerpt).tokens < conversation.count(message).tokens) excerpts.set(id, excerpt);
  }
  return excerpts;
}

function* excerptOf(
  said: TranscriptMessage,
  conversation: Said,
  { arrivals, recallTool }: ArrivalSettings,
): Steps<Message> {
  const { transcript, counter } = conversation;
  let excerpt = said.message;
  let firstLine = 1;
  for (const [part, one] of (said.message.content as readonly Part[]).entries()) {
    const whole = partText(one) ?? '';
    const line = firstLine;
    if (whole !== '') firstLine += whole.split('\n').length;
    if (one.type !== 'tool-result' || arrivals === false || one.toolName === recallTool) continue;
    const own = Object.hasOwn(arrivals.tools ?? {}, one.toolName) ? arrivals.tools?.[one.toolName] : {};
    if (own === false || hasMedia(one.output)) continue;
    const { over, to } = { ...defaultArrivals, ...given(arrivals), ...given(own) } as typeof defaultArrivals;
    const tokens = yield* counter.textInSteps(whole);
    if (tokens <= over) continue;
    const calls = archivedMessage(conversation.transcript, said.index + 1)?.calls ?? [];
    const call = calls.find(({ toolCallId }) => toolCallId === one.toolCallId);
    if (call !== undefined && (asksForPart(call) || isRepeated(call, conversation))) continue;
    const text = withoutEncoded(whole);
    const asked = [call && jsonText(call.input), ...[transcript.newestUser, transcript.task].map(wordsOf)];
    excerpt =
      replacePart(excerpt, {
        part,
        text: yield* resultExcerpt({
          text,
          tokens,
          maxTokens: to,
          asked: asked.join('\n'),
          handle: handleOf(said.index),
          firstLine: text === whole ? line : undefined,
          recallTool,
          countInSteps: (some) => counter.textInSteps(some),
        }),
      }) ?? excerpt;
  }
  return excerpt;
}

const wordsOf = (said: TranscriptMessage | undefined) =>
  said === undefined ? '' : messageText(said.message).slice(0, longestQuestion);

/** Whether an output has more than text, which an excerpt would lose. */
function hasMedia(output: Extract<Part, { type: 'tool-result' }>['output']): boolean {
  return typeof output !== 'string' && output.type === 'content' && !isTextOutput(output);
}

/** Arguments that ask for a part of something: lines, pages, a number of results. */
const partArgument =
  /^(?:offset|(?:head_?)?limit|ranges?|view_?range|(?:start|end|from|to|first|last)_?(?:line|row|page)(?:_?number)?|lines?|line_?(?:start|end)|pages?|head|tail)$/i;
/** Commands whose output is what was asked for: `sed -n 1,200p a.ts`, `… | head -100`. */
const partCommand = /(?:^|[|;&\n]\s*)(?:head|tail|sed\s+-n)\s[^|]*$/;

/** True if a call says how much it wants to see. */
function asksForPart({ input }: ToolCallPart): boolean {
  return isFields(input) && namesPart(input, 0);
}

/** @param depth levels of objects and lists that were entered */
function namesPart(input: object, depth: number): boolean {
  return Object.entries(input).some(([name, value]) => {
    if (value === null || value === '') return false;
    if (partArgument.test(name)) return true;
    if (/^(?:command|cmd)$/.test(name)) return [value].flat().some((one) => partCommand.test(String(one)));
    return typeof value === 'object' && depth < 2 && namesPart(value, depth + 1);
  });
}

/** True if the same was called before and its result was sent as an excerpt: the model wants all of it. */
function isRepeated({ toolName, input }: ToolCallPart, { transcript }: Said): boolean {
  return transcript.messages
    .filter(({ excerpt }) => excerpt !== undefined)
    .flatMap(({ index }) => archivedMessage(transcript, index + 1)?.calls ?? [])
    .some((call) => call.toolName === toolName && equal(call.input, input));
}
