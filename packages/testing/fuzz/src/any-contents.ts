import type { GoogleConversation } from '@ctx/codec-google';
import { unique } from '@ctx/testing';
import fc from 'fast-check';
import { type Fields, listOf, oddFields, stepsOf } from './native-fields.js';

const { extra, oneOf } = oddFields(
  { thoughtSignature: unique },
  { x_unknown: unique },
  { x_unknown: true, x_count: 3 },
  { partMetadata: { source: unique } },
  { x_list: [unique, { deep: unique }] },
);

const text = oneOf({ text: unique }, { text: unique }, { text: '' }, { text: ' \n' });
const media = oneOf(
  { inlineData: { mimeType: `image/${unique}`, data: unique } },
  { inlineData: { mimeType: `image/${unique}`, data: unique, displayName: unique } },
  { inlineData: { mimeType: `audio/${unique}`, data: unique, displayName: unique } },
  {
    inlineData: { mimeType: `application/${unique}`, data: unique, x_unknown: unique },
    videoMetadata: { fps: 2 },
  },
  { inlineData: { mimeType: 'image/png' } },
  { fileData: { mimeType: `image/${unique}`, fileUri: `gs://bucket/${unique}` } },
  {
    fileData: {
      mimeType: `application/${unique}`,
      fileUri: `https://example.org/${unique}`,
      displayName: unique,
    },
  },
  { fileData: { fileUri: `https://example.org/${unique}` } },
);
const thought = oneOf(
  { text: unique, thought: true, thoughtSignature: unique },
  { text: unique, thought: true },
  { text: '', thought: true, thoughtSignature: unique },
);
const other = oneOf(
  { executableCode: { language: unique, code: unique } },
  { codeExecutionResult: { outcome: unique, output: unique } },
  { toolCall: { id: unique, toolType: unique, args: { query: unique } } },
  { toolResponse: { id: unique, response: { found: unique } } },
  { hologram: { x: unique } },
  { text: unique, hologram: unique, inlineData: { mimeType: 'image/png', data: unique } },
);

function said(role: fc.Arbitrary<Fields>, parts: fc.Arbitrary<unknown>): fc.Arbitrary<Fields> {
  const nothing = fc.constantFrom<Fields>({}, {}, {}, { x_unknown: unique });
  return fc.tuple(role, parts, nothing).map(([one, all, more]) => ({ ...one, parts: all, ...more }));
}

const user = said(
  fc.constantFrom<Fields>({ role: 'user' }, { role: 'user' }, {}),
  listOf(text, media, other),
);
const model = said(fc.constant({ role: 'model' }), listOf(text, media, thought, other));

const args = fc.constantFrom<Fields>(
  { args: {} },
  { args: { path: unique, all: true, lines: [1, 2] } },
  {},
  { args: null },
);
const texts: Fields[] = [{ output: unique }, { result: unique }, { error: unique }, { output: '' }, {}];
const json: Fields[] = [
  { output: { path: unique, lines: [1, 2] } },
  { stdout: unique, code: 3, failed: true },
  { error: { message: unique }, stdout: unique },
];
/** JSON next to media is a text in core, of which the law sees the unique values only. */
const response = fc.oneof(
  fc.constantFrom(...texts, ...json).map((one): Fields => ({ response: one })),
  fc
    .tuple(fc.constantFrom(...texts), listOf(media))
    .map(([one, parts]): Fields => ({ response: one, parts })),
);
const called = fc.tuple(args, extra, response, extra);

/** Calls that are made together, with or without ids, and their responses, among what else is said. */
const exchange = fc
  .tuple(
    listOf(thought, text),
    fc.array(called, { minLength: 1, maxLength: 3 }),
    listOf(text, media),
    fc.boolean(),
    fc.constantFrom('user', 'function'),
  )
  .map(([asked, steps, words, named, role]) => {
    const id = (at: number) => (named ? { id: `call_${at}` } : {});
    const calls = steps.map(([given, more], at) => ({
      functionCall: { ...id(at), name: tools[at % 2], ...given },
      ...more,
    }));
    const responses = steps.map(([, , answer, more], at) => ({
      functionResponse: { ...id(at), name: tools[at % 2], ...answer },
      ...more,
    }));
    return [
      { role: 'model', parts: [...asked, ...calls] },
      { role, parts: [...responses, ...(role === 'user' ? words : [])] },
    ];
  });
/** Names that stand in a call, and again in its response. */
const tools = ['zq900001', 'zq900002'];

const system = fc.oneof(
  fc.constantFrom<unknown>(unique, '', { text: unique }, [unique, { text: unique, x_unknown: unique }]),
  said(fc.constantFrom<Fields>({}, { role: 'user' }, { role: 'system' }), listOf(text, other)),
);

/** Conversations with every part and field that Gemini's API knows, and some that it does not. */
export const anyContents = fc
  .tuple(fc.option(system, { nil: undefined }), stepsOf([user, model], exchange))
  .map(([systemInstruction, contents]) =>
    systemInstruction === undefined ? { contents } : { systemInstruction, contents },
  ) as unknown as fc.Arbitrary<GoogleConversation>;
