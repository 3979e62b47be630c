import { responsesCodec } from '@ctx/codec-openai';
import type { Codec, Message } from '@ctx/core';
import { type Fields, fieldsOf, isFields, nativeInvalid } from '@ctx/core/codec';
import type { ModelInputData } from '@openai/agents';
import { fromResponses } from './items-from-responses.js';
import { toResponses } from './items-to-responses.js';
import { linkOf } from './link.js';

/**
 * The codec of the Agents SDK: the instructions and items that a model is given. Its items are those of the Responses API under other names,
 * so they are read and edited as such.
 */
export const agentsCodec: Codec<ModelInputData> = {
  name: 'openai-agents',
  toMessages: (data, context) => {
    const { instructions, input } = dataOf(data);
    const messages = responsesCodec.toMessages(toResponses(input), context).map(ofAgents);
    if (instructions === undefined || instructions === '') return messages;
    return [{ role: 'system', content: instructions, native: { codec: 'openai-agents' } }, ...messages];
  },
  fromMessages: (messages) => {
    const instructions = messages.find(isInstructions)?.content;
    const said = messages.filter((message) => !isInstructions(message));
    const items = responsesCodec.fromMessages(said.map(ofResponses));
    return {
      input: fromResponses(items) as unknown as ModelInputData['input'],
      ...(typeof instructions === 'string' && { instructions }),
    };
  },
  validate: (data, { before = [] } = {}) =>
    responsesCodec.validate(toResponses(dataOf(data).input), {
      before: before.map((one) => toResponses(one.input)),
    }),
  losses: (messages) => responsesCodec.losses(messages.map(ofResponses)),
};

/** @throws ValidationError `native-invalid` for what has no list of items */
function dataOf(data: unknown): ModelInputData {
  const remedy = 'Give the `instructions` and the `input` of a model.';
  const { input } = fieldsOf(data, 'conversation', remedy);
  if (!Array.isArray(input)) throw nativeInvalid('A list was expected', 'input', input, remedy);
  return data as ModelInputData;
}

/** The message with the SDK's items as its native form. */
function ofAgents(message: Message): Message {
  const { native } = message;
  if (!isFields(native) || !Array.isArray(native.message)) return message;
  const items = native.message.map((form: Fields) => linkOf(form)?.from);
  return { ...message, native: { ...native, codec: 'openai-agents', message: items } };
}

/** The message with the items of the Responses API as its native form. */
function ofResponses(message: Message): Message {
  const { native } = message;
  if (!isFields(native) || native.codec !== 'openai-agents') return message;
  const items = Array.isArray(native.message) ? toResponses(native.message) : [];
  return { ...message, native: { ...native, codec: 'openai-responses', message: items } };
}

function isInstructions({ role, native }: Message): boolean {
  return (
    role === 'system' && isFields(native) && native.codec === 'openai-agents' && native.message === undefined
  );
}
