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
      { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral', ttl: unique } } } },
      { providerOptions: { openai: { itemId: unique } } },
      { x_unknown: unique },
      { x_unknown: true, x_count: 3 },
      { x_list: [unique, { deep: unique }] },
    ),
    weight: 1,
  },
);

const text = oneOf({ type: 'text', text: unique }, { type: 'text', text: '' }, { type: 'text', text: ' ' });
const pdf = { mediaType: 'application/pdf' };
const bareFiles = oneOf(
  { type: 'file', data: uniqueData, ...pdf },
  { type: 'file', data: uniqueData, ...pdf, filename: unique },
  { type: 'file', data: `data:text/plain;base64,${uniqueData}`, mediaType: 'text/plain' },
  { type: 'file', data: `https://example.org/${unique}`, mediaType: `application/${unique}` },
  { type: 'file', data: uniqueData, mediaType: `image/${unique}`, filename: unique },
  { type: 'file', data: { openai: unique }, ...pdf },
);
const taggedFiles = oneOf(
  { type: 'file', data: { type: 'data', data: uniqueData }, ...pdf, filename: unique },
  { type: 'file', data: { type: 'data', data: uniqueData, x_unknown: unique }, mediaType: 'image' },
  { type: 'file', data: { type: 'text', text: unique }, mediaType: 'text/plain', filename: unique },
  { type: 'file', data: { type: 'text', text: unique }, mediaType: `text/${unique}` },
  { type: 'file', data: { type: 'reference', reference: { openai: unique } }, ...pdf },
);
const images = oneOf(
  { type: 'image', image: uniqueData },
  { type: 'image', image: uniqueData, mediaType: `image/${unique}` },
  { type: 'image', image: `data:image/png;base64,${uniqueData}` },
  { type: 'image', image: `https://example.org/${unique}` },
  { type: 'image', image: { openai: unique } },
);
const odd = oneOf({ type: 'hologram', x: unique });
const thoughts = oneOf(
  { type: 'reasoning', text: unique },
  { type: 'reasoning', text: unique, providerOptions: { anthropic: { signature: unique } } },
  { type: 'reasoning', text: '', providerOptions: { openai: { reasoningEncryptedContent: unique } } },
  { type: 'reasoning', text: '' },
  { type: 'reasoning-file', data: { type: 'data', data: unique }, mediaType: 'image/png' },
  { type: 'custom', kind: 'openai.compaction', providerOptions: { openai: { id: unique } } },
);

const outputItem = fc.oneof(
  text,
  oneOf(
    { type: 'media', data: uniqueData, mediaType: 'image/png' },
    { type: 'image-data', data: uniqueData, mediaType: `image/${unique}` },
    { type: 'image-url', url: `https://example.org/${unique}` },
    { type: 'image-file-id', fileId: unique },
    { type: 'file-data', data: uniqueData, ...pdf, filename: unique },
    { type: 'file-url', url: `https://example.org/${unique}`, ...pdf },
    { type: 'file-id', fileId: { openai: unique } },
    { type: 'file-reference', providerReference: { openai: unique } },
    { type: 'custom', providerOptions: { openai: { x: unique } } },
  ),
  taggedFiles,
);
const output = fc.oneof(
  oneOf(
    { type: 'text', value: unique },
    { type: 'error-text', value: unique },
    { type: 'json', value: { path: unique, all: true, lines: [1, 2] } },
    { type: 'json', value: null },
    { type: 'error-json', value: [unique] },
    { type: 'execution-denied', reason: unique },
    { type: 'execution-denied' },
    { type: 'stream', x: unique },
  ),
  fc
    .tuple(fc.array(outputItem, { maxLength: 3 }), extra)
    .map(([value, more]): Fields => ({ type: 'content', value, ...more })),
);

/** A name that stands in a call, and again in its result. */
const toolName = 'zq900001';
const input = fc.constantFrom<unknown>({}, { path: unique, all: true, lines: [1, 2] }, unique, null);

/** Calls that are made together, some by the provider, with their results, among what else the message says. */
const exchange = (form: Shape) =>
  fc
    .tuple(
      fc.array(fc.oneof(text, thoughts, form.files), { maxLength: 2 }),
      fc.array(fc.tuple(input, output, extra, extra, fc.nat(4)), { minLength: 1, maxLength: 3 }),
      extra,
      fc.boolean(),
    )
    .map(([said, steps, more, together]) => {
      const local = steps.filter(([, , , , kind]) => kind > 0);
      const call = ([value, , fields]: (typeof steps)[number], id: string, others: Fields = {}) => {
        return { type: 'tool-call', toolCallId: id, toolName, input: value, ...others, ...fields };
      };
      const result = ([, value, , fields]: (typeof steps)[number], id: string) => {
        return { type: 'tool-result', toolCallId: id, toolName, output: value, ...fields };
      };
      const provided = steps
        .filter(([, , , , kind]) => kind === 0)
        .flatMap((step, at) => [
          call(step, `own_${at}`, { providerExecuted: true, toolName: unique }),
          { ...result(step, `own_${at}`), toolName: unique },
        ]);
      const content = [...said, ...provided, ...local.map((step, at) => call(step, `call_${at}`))];
      const results = local.map((step, at) => result(step, `call_${at}`));
      const answers = together ? [results] : results.map((one) => [one]);
      return [
        { role: 'assistant', content, ...more },
        ...answers.filter((one) => one.length > 0).map((one) => ({ role: 'tool', content: one, ...more })),
      ];
    });

interface Shape {
  readonly files: fc.Arbitrary<Fields>;
  readonly isTextContent: boolean;
}

function conversations(form: Shape): fc.Arbitrary<Fields[]> {
  const contentOf = (item: fc.Arbitrary<Fields>) => {
    const list: fc.Arbitrary<unknown> = fc.array(item, { maxLength: 4 });
    return form.isTextContent ? fc.oneof(fc.constantFrom<unknown>(unique, unique, ''), list) : list;
  };
  const said = (role: string, content: fc.Arbitrary<unknown>) =>
    fc.tuple(content, extra).map(([value, more]) => [{ role, content: value, ...more }]);
  const userPart = form.isTextContent
    ? fc.oneof(text, images, form.files, odd)
    : fc.oneof(text, form.files, odd);
  return fc
    .array(
      fc.oneof(
        said('system', fc.constantFrom<unknown>(unique, '')),
        said('user', contentOf(userPart)),
        said('assistant', contentOf(fc.oneof(text, thoughts, form.files, odd))),
        exchange(form),
      ),
      { maxLength: 6 },
    )
    .map((steps) => steps.flat());
}

/** Messages with every part of versions 5 to 7. */
export const anyModelMessages = conversations({
  files: fc.oneof(bareFiles, taggedFiles),
  isTextContent: true,
});
/** Prompts of versions 2 and 3, in which data is bare, and of version 4, in which it says what it is. */
export const anyBarePrompt = conversations({ files: bareFiles, isTextContent: false });
export const anyTaggedPrompt = conversations({ files: taggedFiles, isTextContent: false });
