import type { GoogleConversation } from '@ctx/codec-google';
import fc from 'fast-check';
import { type Fields, field, merged, pairsOf, shapesIn, stepsOf } from './native-shapes.js';

const { extra, list, plain, value } = shapesIn`
  odd      {thoughtSignature: §}
  odd      {partMetadata: {source: §}}
  text*2   {text: §}
  text     {text: ""}
  text     {text: " \n"}
  media    {inlineData: {mimeType: image/§, data: §}}
  media    {inlineData: {mimeType: image/§, data: §, displayName: §}}
  media    {inlineData: {mimeType: audio/§, data: §, displayName: §}}
  media    {inlineData: {mimeType: application/§, data: §, x_unknown: §}, videoMetadata: {fps: 2}}
  media    {inlineData: {mimeType: image/png}}
  media    {fileData: {mimeType: image/§, fileUri: gs://bucket/§}}
  media    {fileData: {mimeType: application/§, fileUri: https://example.org/§, displayName: §}}
  media    {fileData: {fileUri: https://example.org/§}}
  thought  {text: §, thought: true, thoughtSignature: §}
  thought  {text: §, thought: true}
  thought  {text: "", thought: true, thoughtSignature: §}
  other    {executableCode: {language: §, code: §}}
  other    {codeExecutionResult: {outcome: §, output: §}}
  other    {toolCall: {id: §, toolType: §, args: {query: §}}}
  other    {toolResponse: {id: §, response: {found: §}}}
  other    {hologram: {x: §}}
  other    {text: §, hologram: §, inlineData: {mimeType: image/png, data: §}}
  more*3   {}
  more     {x_unknown: §}
  user*2   {role: user}
  user     {}
  model    {role: model}
  system   {}
  system   {role: user}
  system   {role: system}
  prompt   §
  prompt   ""
  prompt   {text: §}
  prompt   [§, {text: §, x_unknown: §}]
  args     {args: {}}
  args     {args: {path: §, all: true, lines: [1, 2]}}
  args     {}
  args     {args: null}
  response {response: {output: §}}
  response {response: {result: §}}
  response {response: {error: §}}
  response {response: {output: ""}}
  response {response: {}}
  json     {response: {output: {path: §, lines: [1, 2]}}}
  json     {response: {stdout: §, code: 3, failed: true}}
  json     {response: {error: {message: §}, stdout: §}}
`;
const said = (role: string, ...parts: string[]) =>
  merged(plain(role), field('parts', list(...parts)), plain('more'));

/** JSON next to media is a text in core, of which the law sees the unique values only. */
const response = fc.oneof(
  plain('response'),
  plain('json'),
  merged(plain('response'), field('parts', list('media'))),
);
const call = merged(field('functionCall', plain('args')), extra);
const result = merged(field('functionResponse', response), extra);

/** Calls that are made together, with or without ids, and their responses, among what else is said. */
const exchange = fc
  .tuple(
    list('thought', 'text'),
    pairsOf(fc.tuple(call, result)),
    list('text', 'media'),
    fc.boolean(),
    fc.constantFrom('user', 'function'),
  )
  .map(([asked, pairs, words, hasIds, role]) => {
    /** The names stand in a call, and again in its response. */
    const named = (part: Fields, name: string, at: number): Fields => ({
      ...part,
      [name]: {
        ...(hasIds && { id: `call_${at}` }),
        name: `zq90000${1 + (at % 2)}`,
        ...(part[name] as Fields),
      },
    });
    const responses = pairs.map(([, one], at) => named(one, 'functionResponse', at));
    return [
      { role: 'model', parts: [...asked, ...pairs.map(([one], at) => named(one, 'functionCall', at))] },
      { role, parts: [...responses, ...(role === 'user' ? words : [])] },
    ];
  });

const system = field('systemInstruction', fc.oneof(value('prompt'), said('system', 'text', 'other')));

/** Conversations with every part and field that Gemini's API knows, and some that it does not. */
export const anyContents = merged(
  fc.oneof(fc.constant({}), system, system),
  field(
    'contents',
    stepsOf(
      [said('user', 'text', 'media', 'other'), said('model', 'text', 'media', 'thought', 'other')],
      exchange,
    ),
  ),
) as unknown as fc.Arbitrary<GoogleConversation>;
