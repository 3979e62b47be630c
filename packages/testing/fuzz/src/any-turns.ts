import type { AnthropicConversation } from '@ctx/codec-anthropic';
import { unique, uniqueData } from '@ctx/testing';
import fc from 'fast-check';
import { contentOf, type Fields, listOf, oddFields, stepsOf } from './native-fields.js';

const { extra, oneOf } = oddFields(
  { cache_control: { type: 'ephemeral', ttl: unique } },
  { cache_control: null },
  { x_unknown: unique },
  { x_unknown: true, x_count: 3 },
  { citations: [{ type: 'char_location', cited_text: unique, start_char_index: 0 }] },
  { x_list: [unique, { deep: unique }] },
);

const text = oneOf(
  { type: 'text', text: unique },
  { type: 'text', text: unique },
  { type: 'text', text: '' },
  { type: 'text', text: ' \n' },
);
const image = oneOf(
  { type: 'image', source: { type: 'base64', media_type: `image/${unique}`, data: unique } },
  { type: 'image', source: { type: 'base64', data: unique, x_unknown: unique } },
  { type: 'image', source: { type: 'url', url: `https://example.org/${unique}` } },
  {
    type: 'image',
    source: { type: 'url', url: `https://example.org/${unique}`, media_type: `image/${unique}` },
  },
  { type: 'image', source: { type: 'url', url: `gs://bucket/${unique}` } },
  { type: 'image', source: { type: 'file', file_id: unique } },
);
const pdf = { type: 'base64', media_type: 'application/pdf', data: unique };
const document = oneOf(
  { type: 'document', source: pdf, title: unique },
  { type: 'document', source: { ...pdf, x_unknown: unique }, title: null },
  { type: 'document', source: { ...pdf, media_type: `text/${unique}`, data: uniqueData }, title: 7 },
  {
    type: 'document',
    source: { type: 'text', media_type: 'text/plain', data: unique },
    title: unique,
    context: unique,
  },
  {
    type: 'document',
    source: { type: 'text', media_type: `text/${unique}`, data: unique, x_unknown: unique },
  },
  { type: 'document', source: { type: 'url', url: `https://example.org/${unique}` }, context: unique },
  {
    type: 'document',
    source: { type: 'url', url: `https://example.org/${unique}`, media_type: `a/${unique}` },
  },
  { type: 'document', source: { type: 'content', content: [{ type: 'text', text: unique }] } },
  { type: 'document', source: { type: 'file', file_id: unique } },
);
const thinking = oneOf(
  { type: 'thinking', thinking: unique, signature: unique },
  { type: 'thinking', thinking: '', signature: unique },
  { type: 'redacted_thinking', data: unique },
);
const other = oneOf(
  { type: 'server_tool_use', id: unique, name: 'web_search', input: { query: unique } },
  {
    type: 'web_search_tool_result',
    tool_use_id: unique,
    content: [{ type: 'web_search_result', url: unique }],
  },
  { type: 'search_result', source: unique, title: unique, content: [{ type: 'text', text: unique }] },
  { type: 'compaction', content: unique },
  { type: 'mcp_tool_use', id: unique, name: unique, server_name: unique, input: {} },
  { type: 'mcp_tool_result', tool_use_id: unique, content: [{ type: 'text', text: unique }] },
  { type: 'container_upload', file_id: unique },
);

function said(role: string, content: fc.Arbitrary<unknown>): fc.Arbitrary<Fields> {
  return fc.tuple(content, extra).map(([all, more]) => ({ role, content: all, ...more }));
}

const user = said('user', contentOf(text, image, document, other));
const assistant = said('assistant', contentOf(text, image, document, thinking, other));
const later = fc.oneof(
  said('system', contentOf(text, other)),
  fc.constant<Fields>({ role: 'system', output_config: { effort: unique } }),
);

const input = fc.constantFrom<unknown>(
  {},
  { path: unique, all: true, lines: [1, 2] },
  [unique],
  unique,
  7,
  null,
);
const failed = fc.constantFrom<Fields>({}, { is_error: true }, { is_error: false }, { is_error: unique });
const called = fc.tuple(input, extra, contentOf(text, image, document, other), failed, extra);

/** Parallel calls with their results, and other blocks of their messages. */
const exchange = fc
  .tuple(
    listOf(thinking, text),
    fc.array(called, { minLength: 1, maxLength: 3 }),
    listOf(text, image, thinking),
    extra,
  )
  .map(([asked, steps, words, more]) => {
    const uses = steps.map(([given, fields], at) => ({
      type: 'tool_use',
      id: `call_${at}`,
      name: unique,
      input: given,
      ...fields,
    }));
    const results = steps.map(([, , content, error, fields], at) => ({
      type: 'tool_result',
      tool_use_id: `call_${at}`,
      content,
      ...error,
      ...fields,
    }));
    return [
      { role: 'assistant', content: [...asked, ...uses], ...more },
      { role: 'user', content: [...results, ...words], ...more },
    ];
  });

/** Conversations with every block and field that the Messages API knows, and some that it does not. */
export const anyTurns = fc
  .tuple(fc.option(contentOf(text, other), { nil: undefined }), stepsOf([user, assistant, later], exchange))
  .map(([system, messages]) =>
    system === undefined ? { messages } : { system, messages },
  ) as unknown as fc.Arbitrary<AnthropicConversation>;
