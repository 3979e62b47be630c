import { type AnyModelMessage, modelMessageCodec } from '@ctx/codec-ai-sdk';
import { type AnthropicRequest, anthropicCodec } from '@ctx/codec-anthropic';
import { type ChatMessage, openaiCodec } from '@ctx/codec-openai';
import type { Message } from '@ctx/core';
import { nativeInvalid } from '@ctx/core/codec';
import { decode, type Native } from '../conversation/decode.js';
import type { Findings } from '../conversation/findings.js';
import { accept } from '../conversation/session-of.js';
import { type Fields, isFields, known, nameIn } from '../fields.js';
import type { SessionRecord } from '../files/records.js';
import type { Session } from '../session.js';
import { fromLangChain, storedIn } from './stored-langchain.js';
import { isUiMessage, modelMessagesOf } from './ui-messages.js';

export type StoredFormat = 'openai' | 'anthropic' | 'ai-sdk' | 'langchain';

type ConversationReader = (
  records: AsyncIterable<SessionRecord>,
  about: { readonly name: string; readonly findings: Findings },
) => AsyncIterable<Session>;

/** The parts that differ between the APIs. */
interface ConversationFormat {
  readonly format: StoredFormat;
  toMessages(natives: unknown[]): Message[];
  /** Messages for a system prompt outside the messages. @default those of a message with that role */
  systemMessages?(system: unknown): Message[];
  /** What the codec reads of a stored message, if that is not the message itself. */
  natives?(stored: Fields): Fields[];
}

interface Conversation {
  readonly natives: Native[];
  /** The fields next to the messages: id, model, system. */
  readonly fields: Fields;
  readonly line: number;
}

/**
 * Reads conversations in the form of an API: a list of messages, an object with `messages`, a list of such objects, or one message per
 * line, which together are one conversation.
 */
function conversationReader(conversation: ConversationFormat): ConversationReader {
  return async function* (records, { name, findings }) {
    let count = 0;
    let waiting: Session | undefined;
    const sessionOf = ({ natives, fields, line }: Conversation): Session => {
      count += 1;
      const read = natives.flatMap(({ native, place }) =>
        isFields(native) && conversation.natives !== undefined
          ? conversation.natives(native).map((one) => ({ native: one, place }))
          : [{ native, place }],
      );
      const decoded = decode(read, conversation.toMessages, findings);
      const { system: content } = fields;
      const { systemMessages = () => conversation.toMessages([{ role: 'system', content }]) } = conversation;
      const system = hasText(content) ? systemMessages(content) : [];
      const said = [
        ...system.map((message) => ({ message, place: { line } })),
        ...decoded.map(({ message, from }) => ({ message, place: from.place })),
      ];
      const { messages } = accept(said, findings);
      return known({
        id: nameIn(fields, 'id') ?? (count === 1 ? name : `${name}:${count}`),
        format: conversation.format,
        messages,
        model: nameIn(fields, 'model'),
        source: nameIn(fields, 'source'),
        ...findings.take(),
      });
    };
    for await (const one of conversationsIn(records, findings)) {
      if (waiting !== undefined) yield waiting;
      waiting = sessionOf(one);
    }
    // Unreadable lines after the last conversation are listed with it.
    if (waiting !== undefined)
      yield { ...waiting, skipped: [...waiting.skipped, ...findings.take().skipped] };
  };
}

async function* conversationsIn(
  records: AsyncIterable<SessionRecord>,
  findings: Findings,
): AsyncGenerator<Conversation> {
  let lines: Conversation | undefined;
  for await (const { line, value } of records) {
    if (isFields(value) && ('role' in value || storedIn(value) !== undefined)) {
      lines ??= { natives: [], fields: {}, line };
      lines.natives.push({ native: value, place: { line } });
      continue;
    }
    if (lines !== undefined) yield lines;
    lines = undefined;
    const values = Array.isArray(value) && value.some(hasMessages) ? value : [value];
    for (const [index, one] of values.entries()) {
      const messages = hasMessages(one) ? one.messages : one;
      if (Array.isArray(messages) && messages.length > 0) {
        const prefix = values === value ? `[${index}].` : '';
        const path = (position: number) =>
          hasMessages(one) ? `${prefix}messages[${position}]` : `[${position}]`;
        const natives = messages.map((native, position) => ({
          native,
          place: { line, path: path(position) },
        }));
        yield { natives, fields: hasMessages(one) ? one : {}, line };
      } else {
        const problem = 'The record is neither a message nor a conversation with messages';
        findings.refuse({ line }, { problem, value: one });
      }
    }
  }
  if (lines !== undefined) yield lines;
}

function hasMessages(value: unknown): value is Fields & { messages: unknown[] } {
  return isFields(value) && Array.isArray(value.messages);
}

function hasText(system: unknown): boolean {
  return (typeof system === 'string' || Array.isArray(system)) && system.length > 0;
}

const modelMessages = (natives: unknown[]) => modelMessageCodec.toMessages(natives as AnyModelMessage[]);

/** A `system` next to the messages becomes the first of them. */
export const conversationReaders: Readonly<Record<StoredFormat, ConversationReader>> = {
  // `ModelMessage`s, or `UIMessage`s.
  'ai-sdk': conversationReader({
    format: 'ai-sdk',
    toMessages: modelMessages,
    natives: (stored) => (isUiMessage(stored) ? modelMessagesOf(stored) : [stored]),
  }),
  langchain: conversationReader({ format: 'langchain', toMessages: modelMessages, natives: fromLangChain }),
  anthropic: conversationReader({
    format: 'anthropic',
    toMessages: (natives) => anthropicCodec.toMessages({ messages: natives as AnthropicRequest['messages'] }),
    systemMessages: (system) =>
      anthropicCodec.toMessages({ system: system as NonNullable<AnthropicRequest['system']>, messages: [] }),
  }),
  openai: conversationReader({
    format: 'openai',
    toMessages: (natives) => {
      for (const [index, native] of natives.entries()) refuseSilent(native, `messages[${index}]`);
      return openaiCodec.toMessages(natives as ChatMessage[]);
    },
  }),
};

/** Fields in which a message says something. The codec takes one without them for a message without content. */
const saying = ['content', 'tool_calls', 'function_call', 'refusal', 'audio'];

function refuseSilent(native: unknown, place: string): void {
  if (!isFields(native) || !('role' in native) || saying.some((field) => field in native)) return;
  const problem = 'The message has no content';
  throw nativeInvalid(problem, place, native, 'Name the format, if it is that of another API or library.');
}
