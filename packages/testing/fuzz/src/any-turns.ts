import type { AnthropicConversation } from '@ctx/codec-anthropic';
import fc from 'fast-check';
import { field, merged, pairsOf, shapesIn, sideOf, stepsOf } from './native-shapes.js';

const { content, extra, list, plain, value } = shapesIn`
  odd       {cache_control: {type: ephemeral, ttl: §}}
  odd       {cache_control: null}
  odd       {citations: [{type: char_location, cited_text: §, start_char_index: 0}]}
  text*2    {type: text, text: §}
  text      {type: text, text: ""}
  text      {type: text, text: " \n"}
  image     {type: image, source: {type: base64, media_type: image/§, data: §}}
  image     {type: image, source: {type: base64, data: §, x_unknown: §}}
  image     {type: image, source: {type: url, url: https://example.org/§}}
  image     {type: image, source: {type: url, url: https://example.org/§, media_type: image/§}}
  image     {type: image, source: {type: url, url: gs://bucket/§}}
  image     {type: image, source: {type: file, file_id: §}}
  document  {type: document, source: {type: base64, media_type: application/pdf, data: §}, title: §}
  document  {type: document, source: {type: base64, media_type: application/pdf, data: §, x_unknown: §}, title: null}
  document  {type: document, source: {type: base64, media_type: text/§, data: ¶}, title: 7}
  document  {type: document, source: {type: text, media_type: text/plain, data: §}, title: §, context: §}
  document  {type: document, source: {type: text, media_type: text/§, data: §, x_unknown: §}}
  document  {type: document, source: {type: url, url: https://example.org/§}, context: §}
  document  {type: document, source: {type: url, url: https://example.org/§, media_type: a/§}}
  document  {type: document, source: {type: content, content: [{type: text, text: §}]}}
  document  {type: document, source: {type: file, file_id: §}}
  thinking  {type: thinking, thinking: §, signature: §}
  thinking  {type: thinking, thinking: "", signature: §}
  thinking  {type: redacted_thinking, data: §}
  other     {type: server_tool_use, id: §, name: web_search, input: {query: §}}
  other     {type: web_search_tool_result, tool_use_id: §, content: [{type: web_search_result, url: §}]}
  other     {type: search_result, source: §, title: §, content: [{type: text, text: §}]}
  other     {type: compaction, content: §}
  other     {type: mcp_tool_use, id: §, name: §, server_name: §, input: {}}
  other     {type: mcp_tool_result, tool_use_id: §, content: [{type: text, text: §}]}
  other     {type: container_upload, file_id: §}
  user      {role: user}
  assistant {role: assistant}
  system    {role: system}
  effort    {role: system, output_config: {effort: §}}
  call      {type: tool_use, name: §}
  input     {}
  input     {path: §, all: true, lines: [1, 2]}
  input     [§]
  input     §
  input     7
  input     null
  result    {type: tool_result}
  result    {type: tool_result, is_error: true}
  result    {type: tool_result, is_error: false}
  result    {type: tool_result, is_error: §}
`;
const said = (role: string, ...parts: string[]) =>
  merged(plain(role), field('content', content(...parts)), extra);
const userParts = ['text', 'image', 'document', 'other'];
const call = merged(plain('call'), field('input', value('input')), extra);

/** Parallel calls with their results, and other blocks of their messages. */
const exchange = fc
  .tuple(
    list('thinking', 'text'),
    pairsOf(fc.tuple(call, said('result', ...userParts))),
    list('text', 'image', 'thinking'),
    extra,
  )
  .map(([asked, pairs, words, more]) => [
    { role: 'assistant', content: [...asked, ...sideOf(pairs, 0, 'id')], ...more },
    { role: 'user', content: [...sideOf(pairs, 1, 'tool_use_id'), ...words], ...more },
  ]);
const later = fc.oneof(said('system', 'text', 'other'), plain('effort'));

/** Conversations with every block and field that the Messages API knows, and some that it does not. */
export const anyTurns = merged(
  fc.oneof(fc.constant({}), field('system', content('text', 'other'))),
  field(
    'messages',
    stepsOf([said('user', ...userParts), said('assistant', ...userParts, 'thinking'), later], exchange),
  ),
) as unknown as fc.Arbitrary<AnthropicConversation>;
