import { type Message, toolCallsOf, withoutBytes, writtenAsJson } from '@ctx/core';
import { type DecodeContext, type Fields, isFields, nativeInvalid } from '@ctx/core/codec';
import { carriedBy } from './carried.js';
import { dataOf, roleOf, typeOf } from './native-message.js';
import { type Calls, slotsOf } from './slots.js';

/** What a message keeps of its native form. */
interface Origin {
  readonly codec: 'langchain';
  readonly message: Fields;
  readonly carries?: readonly string[];
}

/** @throws ValidationError `native-invalid` with the place that is not understood */
export function toMessages(conversation: readonly unknown[], { after = [] }: DecodeContext = {}): Message[] {
  if (!Array.isArray(conversation)) {
    throw nativeInvalid('A list was expected', 'messages', conversation, 'Give a list of messages.');
  }
  const names = new Map(after.flatMap(toolCallsOf).map((call) => [call.toolCallId, call.toolName]));
  return conversation.map((native: unknown, index) => {
    const answered = answeredAfter(conversation, index);
    const calls: Calls = { nameOf: (id) => names.get(id), isAnswered: (id) => answered.includes(id) };
    const message = decode(native, calls, `messages[${index}]`);
    for (const { toolCallId, toolName } of toolCallsOf(message)) names.set(toolCallId, toolName);
    return message;
  });
}

/** The ids of the calls that the tool messages right after a message answer. */
function answeredAfter(conversation: readonly unknown[], index: number): unknown[] {
  const ids: unknown[] = [];
  for (const native of conversation.slice(index + 1)) {
    if (!isFields(native) || typeOf(native) !== 'tool') break;
    ids.push(native.tool_call_id);
  }
  return ids;
}

function decode(value: unknown, calls: Calls, place: string): Message {
  const role = roleOf(value, place);
  const native = value as Fields;
  const slots = slotsOf(native, calls, place);
  const parts = slots.flatMap(({ part }) => (part === undefined ? [] : [part]));
  const [only] = slots;
  const isText = slots.length === 1 && only?.part?.type === 'text' && only.native === only.part.text;
  const carries = carriedBy(native, slots);
  const origin: Origin = { codec: 'langchain', message: native, ...(carries.length > 0 && { carries }) };
  // JSON keeps the fields of the message in place of the object.
  const stored = () => ({ ...origin, message: undefined, stored: withoutBytes(dataOf(native)) });
  return { role, content: isText ? only.native : parts, native: writtenAsJson(origin, stored) } as Message;
}
