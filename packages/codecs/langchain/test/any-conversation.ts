import { unique, uniqueData } from '@ctx/testing';
import fc from 'fast-check';

type Fields = Record<string, unknown>;

/** One of these, perhaps with fields that no type lists. */
function oneOf(...values: readonly Fields[]): fc.Arbitrary<Fields> {
  return fc.tuple(fc.constantFrom(...values), extra).map(([value, more]) => ({ ...value, ...more }));
}

const extra: fc.Arbitrary<Fields> = fc.oneof(
  { arbitrary: fc.constant({}), weight: 4 },
  {
    arbitrary: fc.constantFrom<Fields>(
      { cache_control: { type: 'ephemeral', ttl: unique } },
      { x_unknown: unique },
      { x_unknown: true, x_count: 3 },
      { x_list: [unique, { deep: unique }] },
    ),
    weight: 1,
  },
);
/** What any message may have besides its content. */
const common: fc.Arbitrary<Fields> = fc.constantFrom<Fields>(
  {},
  {},
  { id: unique, name: unique },
  { additional_kwargs: {}, response_metadata: {} },
  { additional_kwargs: { reasoning_content: unique, x_list: [unique] } },
  { response_metadata: { model_provider: unique } },
);

const text = oneOf(
  { type: 'text', text: unique },
  { type: 'text', text: unique, annotations: [{ type: 'citation', url: unique }] },
  { type: 'text', text: '' },
  { type: 'text', text: ' ' },
);
const pdf = { mimeType: 'application/pdf' };
const media = oneOf(
  { type: 'image', url: `https://example.org/${unique}` },
  { type: 'image', data: uniqueData, mimeType: `image/${unique}` },
  { type: 'image', fileId: unique },
  { type: 'image', source_type: 'base64', data: uniqueData, mime_type: `image/${unique}` },
  { type: 'image', source_type: 'url', url: `https://example.org/${unique}`, metadata: { alt: unique } },
  { type: 'image', source: { type: 'base64', media_type: 'image/png', data: uniqueData } },
  { type: 'image_url', image_url: `https://example.org/${unique}` },
  { type: 'image_url', image_url: { url: `data:image/png;base64,${uniqueData}`, detail: unique } },
  { type: 'file', data: uniqueData, ...pdf, metadata: { filename: unique } },
  { type: 'file', data: uniqueData, ...pdf, metadata: { filename: unique, x_unknown: unique } },
  { type: 'file', url: `https://example.org/${unique}`, ...pdf },
  { type: 'file', source_type: 'text', text: unique, mime_type: `text/${unique}` },
  { type: 'text-plain', text: unique, title: unique, mimeType: 'text/plain' },
  { type: 'audio', data: uniqueData, mimeType: 'audio/wav' },
  { type: 'video', fileId: unique, mimeType: 'video/mp4' },
);
const odd = oneOf({ type: 'hologram', x: unique }, { type: 'non_standard', value: { x: unique } });
const thoughts = oneOf(
  { type: 'reasoning', reasoning: unique },
  { type: 'thinking', thinking: unique, signature: unique },
  { type: 'thinking', thinking: '', signature: unique },
  { type: 'redacted_thinking', data: unique },
  { type: 'server_tool_call', id: unique, name: unique, args: { query: unique } },
);

const contentOf = (item: fc.Arbitrary<Fields>): fc.Arbitrary<unknown> =>
  fc.oneof(fc.constantFrom<unknown>(unique, unique, ''), fc.array(item, { maxLength: 4 }));

const said = (fields: fc.Arbitrary<Fields>, content: fc.Arbitrary<unknown>) =>
  fc
    .tuple(fields, content, common, extra)
    .map(([one, value, more, others]) => [{ ...one, content: value, ...more, ...others }]);

const assistant = fc
  .tuple(
    contentOf(fc.oneof(text, thoughts, media, odd)),
    common,
    extra,
    fc.constantFrom<Fields>(
      {},
      {},
      { tool_calls: [], invalid_tool_calls: [] },
      { usage_metadata: { input_tokens: 3, x_tokens: unique } },
      {
        invalid_tool_calls: [
          { id: unique, name: unique, args: `{"path": ${unique}`, error: unique, type: 'invalid_tool_call' },
        ],
      },
    ),
  )
  .map(([content, more, others, calls]) => ({ type: 'ai', content, ...more, ...others, ...calls }));

/** A name that stands in a call, and again in its result. */
const toolName = 'zq900001';

const step = fc.tuple(
  fc.constantFrom<unknown>({}, { path: unique, all: true, lines: [1, 2] }),
  extra,
  contentOf(fc.oneof(text, media, odd)),
  fc.constantFrom<Fields>(
    {},
    { name: toolName },
    { name: unique },
    { status: 'error' },
    { artifact: { rows: [unique] } },
  ),
  common,
);

/** Calls that are made together, with their results, among what else the message says. */
const exchange = fc.tuple(assistant, fc.array(step, { minLength: 1, maxLength: 3 })).map(([asked, steps]) => [
  {
    ...asked,
    tool_calls: steps.map(([args, more], at) => ({
      id: `call_${at}`,
      name: toolName,
      args,
      type: 'tool_call',
      ...more,
    })),
  },
  ...steps.map(([, , content, more, others], at) => ({
    type: 'tool',
    content,
    ...others,
    ...more,
    tool_call_id: `call_${at}`,
  })),
]);

const generic = fc.constantFrom<Fields>(
  { type: 'generic', role: 'critic' },
  { type: 'generic', role: 'assistant' },
  { type: 'generic', role: 'system' },
);

/** Conversations with every part and field that LangChain knows, and some that it does not. */
export const anyLangChain: fc.Arbitrary<Fields[]> = fc
  .array(
    fc.oneof(
      said(fc.constant({ type: 'system' }), contentOf(text)),
      said(fc.constant({ type: 'human' }), contentOf(fc.oneof(text, media, odd))),
      said(generic, contentOf(text)),
      assistant.map((one) => [one]),
      exchange,
    ),
    { maxLength: 6 },
  )
  .map((steps) => steps.flat());
