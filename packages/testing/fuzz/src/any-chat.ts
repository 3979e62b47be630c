import type { ChatMessage } from '@ctx/codec-openai';
import { unique, uniqueData } from '@ctx/testing';
import fc from 'fast-check';
import { contentOf, type Fields, oddFields, stepsOf } from './native-fields.js';

const { extra, oneOf } = oddFields(
  { cache_control: { type: 'ephemeral', ttl: unique } },
  { x_unknown: unique },
  { x_unknown: true, x_count: 3 },
  { x_list: [unique, { deep: unique }] },
  { refusal: unique },
  { tool_call_id: unique },
  { annotations: [] },
);

const pdf = `data:application/pdf;base64,${unique}`;
const textItem = oneOf(
  { type: 'text', text: unique },
  { type: 'text', text: '' },
  { type: 'text', text: ' ' },
);
const userItem = fc.oneof(
  textItem,
  oneOf(
    { type: 'image_url', image_url: { url: `https://example.org/${unique}` } },
    { type: 'image_url', image_url: { url: `data:image/${unique};base64,${unique}`, detail: unique } },
    { type: 'image_url', image_url: { url: `data:image/svg+xml,${unique}` } },
    { type: 'image_url', image_url: { url: `gs://bucket/${unique}`, x_unknown: unique } },
  ),
  oneOf(
    { type: 'file', file: { file_data: pdf, filename: unique } },
    { type: 'file', file: { file_data: pdf, file_id: unique, x_unknown: unique } },
    { type: 'file', file: { file_data: pdf, filename: 5 } },
    { type: 'file', file: { file_data: unique } },
    { type: 'file', file: { file_data: `data:text/plain;base64,${uniqueData}`, filename: unique } },
    { type: 'file', file: { file_data: `data:text/${unique};base64,${uniqueData}` } },
    { type: 'file', file: { file_data: `data:text/plain,${unique}` } },
    { type: 'file', file: { file_data: `data:text/plain;base64,%${unique}` } },
    { type: 'file', file: { file_data: `https://example.org/${unique}` } },
    { type: 'file', file: { file_id: unique } },
  ),
  oneOf(
    { type: 'input_audio', input_audio: { data: unique, format: 'wav' } },
    { type: 'hologram', x: unique },
  ),
);
const perhaps = (...items: fc.Arbitrary<Fields>[]) =>
  fc.oneof({ arbitrary: contentOf(...items), weight: 7 }, { arbitrary: fc.constant(null), weight: 1 });

const system = said(fc.constantFrom('system', 'developer'), perhaps(textItem));
const user = said(fc.constant('user'), perhaps(userItem));
const assistant = fc
  .tuple(
    said(fc.constant('assistant'), perhaps(textItem, oneOf({ type: 'refusal', refusal: unique }))),
    fc.constantFrom<Fields>(
      {},
      {},
      { refusal: unique },
      { refusal: null },
      { audio: { id: unique } },
      { tool_calls: [] },
    ),
  )
  .map(([message, more]) => ({ ...message, ...more }));

function said(role: fc.Arbitrary<string>, content: fc.Arbitrary<unknown>): fc.Arbitrary<Fields> {
  const name = fc.constantFrom<Fields>({}, {}, {}, { name: unique });
  return fc
    .tuple(role, content, name, extra)
    .map(([one, text, named, more]) => ({ role: one, content: text, ...named, ...more }));
}

const given = fc.constantFrom(
  '{}',
  '',
  'null',
  `{"path":"${unique}","all":true,"lines":[1,2]}`,
  `{"path": "${unique}`,
  `"${unique}"`,
);
const called = fc.tuple(
  given,
  fc.constantFrom('function', 'custom', 'both'),
  extra,
  perhaps(textItem, userItem),
  fc.constantFrom<Fields>({}, {}, { name: unique }, { messageStatus: 'error' }, { messageStatus: unique }),
  extra,
);
/** A name that a call contains, and also its result. */
const tool = 'zq900001';

/** Parallel calls with their results, and other parts of their message. */
const exchange = fc
  .tuple(assistant, fc.array(called, { minLength: 1, maxLength: 3 }))
  .map(([asked, steps]) => {
    const calls = steps.map(([text, form, more], at) => ({
      id: `call_${at}`,
      type: form === 'custom' ? form : 'function',
      ...(form !== 'function' && { custom: { name: tool, input: text, x_unknown: unique } }),
      ...(form !== 'custom' && { function: { name: form === 'both' ? unique : tool, arguments: text } }),
      ...more,
    }));
    const results = steps.map(([, , , content, named, more], at) => ({
      role: 'tool',
      content,
      ...named,
      ...more,
      tool_call_id: `call_${at}`,
    }));
    return [{ ...asked, tool_calls: calls }, ...results];
  });

const oldExchange = fc
  .tuple(given, extra, fc.constantFrom<Fields>({}, { name: unique }))
  .map(([text, more, named]) => [
    { role: 'assistant', content: null, function_call: { name: tool, arguments: text, ...more } },
    { role: 'function', name: tool, content: unique, ...more, ...named },
  ]);

const odd = fc.constantFrom<Fields>(
  { role: 'user', content: unique, tool_calls: [{ id: unique }], audio: { id: unique } },
  { role: 'assistant', content: unique, function_call: unique },
  { role: 'assistant', content: unique, timestamp: 1_769_827_800_000 },
);

/** Conversations with every part and field that Chat Completions knows, and some that it does not. */
export const anyChat = stepsOf(
  [system, user, assistant, odd],
  exchange,
  oldExchange,
) as unknown as fc.Arbitrary<ChatMessage[]>;
