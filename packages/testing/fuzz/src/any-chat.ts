import type { ChatMessage } from '@ctx/codec-openai';
import fc from 'fast-check';
import { argumentTexts, field, merged, pairsOf, shapesIn, sideOf, stepsOf } from './native-shapes.js';

/** The name zq900001 stands in a call, and again in its result. */
const { content, extra, plain } = shapesIn`
  odd       {cache_control: {type: ephemeral, ttl: §}}
  odd       {refusal: §}
  odd       {tool_call_id: §}
  odd       {annotations: []}
  text      {type: text, text: §}
  text      {type: text, text: ""}
  text      {type: text, text: " "}
  refusal   {type: refusal, refusal: §}
  image     {type: image_url, image_url: {url: https://example.org/§}}
  image     {type: image_url, image_url: {url: data:image/§;base64,§, detail: §}}
  image     {type: image_url, image_url: {url: data:image/svg+xml,§}}
  image     {type: image_url, image_url: {url: gs://bucket/§, x_unknown: §}}
  file      {type: file, file: {file_data: data:application/pdf;base64,§, filename: §}}
  file      {type: file, file: {file_data: data:application/pdf;base64,§, file_id: §, x_unknown: §}}
  file      {type: file, file: {file_data: data:application/pdf;base64,§, filename: 5}}
  file      {type: file, file: {file_data: §}}
  file      {type: file, file: {file_data: data:text/plain;base64,¶, filename: §}}
  file      {type: file, file: {file_data: data:text/§;base64,¶}}
  file      {type: file, file: {file_data: data:text/plain,§}}
  file      {type: file, file: {file_data: data:text/plain;base64,%§}}
  file      {type: file, file: {file_data: https://example.org/§}}
  file      {type: file, file: {file_id: §}}
  other     {type: input_audio, input_audio: {data: §, format: wav}}
  other     {type: hologram, x: §}
  name*3    {}
  name      {name: §}
  system    {role: system}
  system    {role: developer}
  user      {role: user}
  assistant*2 {role: assistant}
  assistant {role: assistant, refusal: §}
  assistant {role: assistant, refusal: null}
  assistant {role: assistant, audio: {id: §}}
  assistant {role: assistant, tool_calls: []}
  tool*2    {role: tool}
  tool      {role: tool, name: §}
  tool      {role: tool, messageStatus: error}
  tool      {role: tool, messageStatus: §}
  function  {role: function, name: zq900001, content: §}
  strange   {role: user, content: §, tool_calls: [{id: §}], audio: {id: §}}
  strange   {role: assistant, content: §, function_call: §}
  strange   {role: assistant, content: §, timestamp: 1769827800000}
`;

const said = (role: string, ...parts: string[]) => {
  const perhaps = fc.oneof(
    { arbitrary: content(...parts), weight: 7 },
    { arbitrary: fc.constant(null), weight: 1 },
  );
  return merged(extra, plain('name'), plain(role), field('content', perhaps));
};
const userParts = ['text', 'image', 'file', 'other'];
const assistant = said('assistant', 'text', 'refusal');

const call = argumentTexts.chain((given) => {
  const custom = { name: 'zq900001', input: given, x_unknown: '§' };
  return fc.constantFrom(
    { type: 'function', function: { name: 'zq900001', arguments: given } },
    { type: 'custom', custom },
    { type: 'function', custom, function: { name: '§', arguments: given } },
  );
});

/** Parallel calls with their results, and other parts of their message. */
const exchange = fc
  .tuple(assistant, pairsOf(fc.tuple(merged(call, extra), said('tool', ...userParts))))
  .map(([asked, pairs]) => [
    { ...asked, tool_calls: sideOf(pairs, 0, 'id') },
    ...sideOf(pairs, 1, 'tool_call_id'),
  ]);
const oldExchange = fc
  .tuple(merged(extra, field('arguments', argumentTexts)), merged(extra, plain('function'), plain('name')))
  .map(([asked, result]) => [
    { role: 'assistant', content: null, function_call: { name: 'zq900001', ...asked } },
    result,
  ]);

/** Conversations with every part and field that Chat Completions knows, and some that it does not. */
export const anyChat = stepsOf(
  [said('system', 'text'), said('user', ...userParts), assistant, plain('strange')],
  exchange,
  oldExchange,
) as unknown as fc.Arbitrary<ChatMessage[]>;
