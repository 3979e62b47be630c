import { type Fields, field, merged, shapesIn, stepsOf } from '@ctx/fuzz';
import fc from 'fast-check';

/** The name zq900001 stands in a call, and again in its result. */
const { content, extra, list, one, plain, value } = shapesIn`
  odd       {providerOptions: {anthropic: {cacheControl: {type: ephemeral, ttl: §}}}}
  odd       {providerOptions: {openai: {itemId: §}}}
  text      {type: text, text: §}
  text      {type: text, text: ""}
  text      {type: text, text: " "}
  bare      {type: file, data: ¶, mediaType: application/pdf}
  bare      {type: file, data: ¶, mediaType: application/pdf, filename: §}
  bare      {type: file, data: data:text/plain;base64,¶, mediaType: text/plain}
  bare      {type: file, data: https://example.org/§, mediaType: application/§}
  bare      {type: file, data: ¶, mediaType: image/§, filename: §}
  bare      {type: file, data: {openai: §}, mediaType: application/pdf}
  tagged    {type: file, data: {type: data, data: ¶}, mediaType: application/pdf, filename: §}
  tagged    {type: file, data: {type: data, data: ¶, x_unknown: §}, mediaType: image}
  tagged    {type: file, data: {type: text, text: §}, mediaType: text/plain, filename: §}
  tagged    {type: file, data: {type: text, text: §}, mediaType: text/§}
  tagged    {type: file, data: {type: reference, reference: {openai: §}}, mediaType: application/pdf}
  image     {type: image, image: ¶}
  image     {type: image, image: ¶, mediaType: image/§}
  image     {type: image, image: data:image/png;base64,¶}
  image     {type: image, image: https://example.org/§}
  image     {type: image, image: {openai: §}}
  hologram  {type: hologram, x: §}
  thought   {type: reasoning, text: §}
  thought   {type: reasoning, text: §, providerOptions: {anthropic: {signature: §}}}
  thought   {type: reasoning, text: "", providerOptions: {openai: {reasoningEncryptedContent: §}}}
  thought   {type: reasoning, text: ""}
  thought   {type: reasoning-file, data: {type: data, data: §}, mediaType: image/png}
  thought   {type: custom, kind: openai.compaction, providerOptions: {openai: {id: §}}}
  item      {type: media, data: ¶, mediaType: image/png}
  item      {type: image-data, data: ¶, mediaType: image/§}
  item      {type: image-url, url: https://example.org/§}
  item      {type: image-file-id, fileId: §}
  item      {type: file-data, data: ¶, mediaType: application/pdf, filename: §}
  item      {type: file-url, url: https://example.org/§, mediaType: application/pdf}
  item      {type: file-id, fileId: {openai: §}}
  item      {type: file-reference, providerReference: {openai: §}}
  item      {type: custom, providerOptions: {openai: {x: §}}}
  output    {type: text, value: §}
  output    {type: error-text, value: §}
  output    {type: json, value: {path: §, all: true, lines: [1, 2]}}
  output    {type: json, value: null}
  output    {type: error-json, value: [§]}
  output    {type: execution-denied, reason: §}
  output    {type: execution-denied}
  output    {type: stream, x: §}
  several   {type: content}
  input     {}
  input     {path: §, all: true, lines: [1, 2]}
  input     §
  input     null
  prompt    §
  prompt    ""
`;

const several = merged(plain('several'), field('value', list('text', 'item', 'tagged')), extra);
const step = fc.record({
  input: value('input'),
  output: fc.oneof(one('output'), several),
  asked: extra,
  answered: extra,
  isOwn: fc.nat(4).map((kind) => kind === 0),
});

/** Calls that are made together, some by the provider, with their results, among what else the message says. */
const exchange = (...files: string[]) =>
  fc
    .tuple(
      list('text', 'thought', ...files),
      fc.array(step, { minLength: 1, maxLength: 3 }),
      extra,
      fc.boolean(),
    )
    .map(([said, steps, more, together]): Fields[] => {
      const made = steps.map(({ input, output, asked, answered, isOwn }, at) => {
        const about = { toolCallId: `${isOwn ? 'own' : 'call'}_${at}`, toolName: isOwn ? '§' : 'zq900001' };
        const own = isOwn && { providerExecuted: true };
        const call = { type: 'tool-call', ...about, input, ...own, ...asked };
        return { isOwn, call, result: { type: 'tool-result', ...about, output, ...answered } };
      });
      const provided = made.flatMap(({ isOwn, call, result }) => (isOwn ? [call, result] : []));
      const local = made.filter(({ isOwn }) => !isOwn);
      const results = local.map(({ result }) => result);
      const answers = together && results.length > 0 ? [results] : results.map((result) => [result]);
      return [
        { role: 'assistant', content: [...said, ...provided, ...local.map(({ call }) => call)], ...more },
        ...answers.map((answer) => ({ role: 'tool', content: answer, ...more })),
      ];
    });

const said = (role: string, what: fc.Arbitrary<unknown>) =>
  merged(fc.constant({ role }), field('content', what), extra);

/** Messages with every part of versions 5 to 7. */
export const anyModelMessages = stepsOf(
  [
    said('system', value('prompt')),
    said('user', content('text', 'image', 'bare', 'tagged', 'hologram')),
    said('assistant', content('text', 'thought', 'bare', 'tagged', 'hologram')),
  ],
  exchange('bare', 'tagged'),
);
const anyPrompt = (files: string) =>
  stepsOf(
    [
      said('system', value('prompt')),
      said('user', list('text', files, 'hologram')),
      said('assistant', list('text', 'thought', files, 'hologram')),
    ],
    exchange(files),
  );
/** Prompts of versions 2 and 3, in which data is bare, and of version 4, in which it says what it is. */
export const anyBarePrompt = anyPrompt('bare');
export const anyTaggedPrompt = anyPrompt('tagged');
