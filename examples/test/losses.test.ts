import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { anthropicCodec } from '@ctx/codec-anthropic';
import { googleCodec } from '@ctx/codec-google';
import { openaiCodec, responsesCodec } from '@ctx/codec-openai';
import type { Codec, Message } from '@ctx/core';
import { anyChat, anyContents, anyResponses, anyTurns } from '@ctx/fuzz';
import { and, assistant, call, lossProblems, result, transcript, user } from '@ctx/testing';
import fc from 'fast-check';

const lost = (
  messages: readonly Message[],
  codec: { losses: typeof anthropicCodec.losses } = anthropicCodec,
) => codec.losses(messages).map(({ index, place, what }) => `${index} ${place}: ${what}`);

test('text of white space has no form and is left out, and a message of the user keeps its place', () => {
  const messages = transcript(
    user('go'),
    and(assistant(' \n'), call('a', 'b')),
    result('a', { type: 'content', value: [{ type: 'text', text: '\t' }] }),
    user('   '),
    user('go on'),
  );
  const native = anthropicCodec.fromMessages(messages);
  expect(anthropicCodec.validate(native)).toEqual([]);
  expect(native.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'user', 'user']);
  const places = ['1 content[0]: text', '2 content[0].output.value[0]: text', '3 content: text'];
  expect(lost(messages)).toEqual(places);
});

const look = { type: 'text' as const, text: 'look' };
const asked = (...content: object[]) => ({ role: 'user', content: [look, ...content] }) as Message;
const answered = (part: object) => ({ role: 'assistant', content: [look, part] }) as Message;
const prompt = (part: object) =>
  ({ role: 'system', content: [look, { type: 'opaque', value: part }] }) as Message;
const file = (data: string, mediaType: string) => ({ type: 'file', data, mediaType });
const svg = { type: 'image' as const, image: 'data:image/svg+xml,<svg/>' };
const webp = { type: 'image', image: 'data:image/webp;base64,AAAA', mediaType: 'image/png' };
const strange = { type: 'opaque', value: { type: 'input_audio' } };
const hm = { type: 'reasoning', text: 'hm' };
const later: Message = { role: 'system', content: 'be brief' };

/** What is lost, as docs/codecs.md lists it, with the loss and its place. */
type Row = readonly [what: string, loss: string, ...messages: Message[]];
const ofAnthropic: readonly Row[] = [
  ['reasoning', '0 content[1]: reasoning', answered(hm)],
  ['opaque parts', '0 content[1]: opaque', asked(strange)],
  ['images and files of the assistant', '0 content[1]: image', answered(svg)],
  ['images and files in the system prompt', '0 content[1]: opaque', prompt(svg)],
  ...['UEsDBA== application/zip', '/////w== text/plain', 'data:text/plain;base64,% text/plain'].map(
    (given): Row => {
      const [data = '', mediaType = ''] = given.split(' ');
      return ['files that are neither PDF nor text', '0 content[1]: file', asked(file(data, mediaType))];
    },
  ),
  ['data URLs that are not base64, and URLs other than `http`', '0 content[1]: image', asked(svg)],
  [
    'data URLs that are not base64, and URLs other than `http`',
    '0 content[1]: file',
    asked(file('gs://bucket/a.pdf', 'application/pdf')),
  ],
  ['a `mediaType` that the data URL or a URL does not say', '0 content[1].mediaType: mediaType', asked(webp)],
  [
    'a `mediaType` that the data URL or a URL does not say',
    '0 content[1].mediaType: mediaType',
    asked(file('https://example.org/a', 'text/plain')),
  ],
  ['texts of white space only', '0 content[1]: text', asked({ type: 'text', text: ' \n' })],
  ['the position of a system message of another provider', '1 content: position', asked(), later],
];
const ofGoogle: readonly Row[] = [
  ['reasoning', '0 content[1]: reasoning', answered(hm)],
  ['opaque parts', '0 content[1]: opaque', asked(strange)],
  ['images and files in the system instruction', '0 content[1]: opaque', prompt(svg)],
  ['images and files by a data URL that is not base64', '0 content[1]: image', asked(svg)],
  [
    'images and files by a data URL that is not base64',
    '0 content[1]: file',
    asked(file('data:text/plain,a', 'text/plain')),
  ],
  [
    'images and files by a data URL that is not base64',
    '2 content[0].output.value[1]: image',
    ...transcript(asked(), call('a', 'read'), result('a', { type: 'content', value: [look, svg] })),
  ],
  [
    'the `mediaType` of a part whose data URL names another one',
    '0 content[1].mediaType: mediaType',
    asked(webp),
  ],
  ['empty texts', '0 content[1]: text', asked({ type: 'text', text: '' })],
  ['the position of a system message after other messages', '1 content: position', asked(), later],
];

describe.each([
  ['Anthropic', anthropicCodec as Codec<unknown>, ofAnthropic, ' \n'],
  ['Google', googleCodec as Codec<unknown>, ofGoogle, ''],
])('the form of %s', (api, codec, rows, blank) => {
  const cases = rows.map(([what, loss, ...messages]) => [what, loss, messages] as const);

  test.each(cases)('%s: left out, and told', (_what, expected, messages) => {
    expect(lost(messages, codec)).toEqual([expected]);
    const sent = codec.fromMessages(messages);
    expect(codec.losses(codec.toMessages(sent))).toEqual([]);
    expect(JSON.stringify(sent)).toContain('look');
  });

  test.each([
    ['parts of another provider', [strange]],
    ['a blank text', blank],
  ])('a message of the user that holds nothing but %s keeps its place', (_what, content) => {
    const messages = [{ role: 'user', content } as Message, assistant('I look.')];
    const sent = codec.fromMessages(messages);
    expect(JSON.stringify(sent)).toContain('[A message that cannot be shown here]');
    expect(codec.validate(sent)).toEqual([]);
    expect(codec.losses(messages).map(({ index }) => index)).toEqual([0]);
  });

  test('docs/codecs.md lists what is lost, and nothing else', () => {
    const page = readFileSync(join(__dirname, '../../docs/codecs.md'), 'utf8');
    const [, section = ''] =
      new RegExp(`## ${api}\n[\\s\\S]*?What is lost:\n([\\s\\S]*?)\n## `).exec(page) ?? [];
    const listed = [...section.matchAll(/^\| (.+?) \|/gm)].map(([, what]) => what).slice(1);
    expect(listed).toEqual([...new Set(rows.map(([what]) => what))]);
  });
});

const forms: Readonly<
  Record<string, readonly [codec: Codec<unknown>, conversations: fc.Arbitrary<unknown>]>
> = {
  chat: [openaiCodec, anyChat],
  responses: [responsesCodec, anyResponses],
  anthropic: [anthropicCodec, anyTurns],
  google: [googleCodec, anyContents],
};
const ways = Object.keys(forms).flatMap((from) =>
  Object.keys(forms).flatMap((to) => (from === to ? [] : [[from, to] as const])),
);

test.each(ways)(
  'all that the way from %s through the form of %s loses is named, and nothing else',
  (from, to) => {
    const [codec, conversations] = forms[from] as (typeof forms)[string];
    const [through] = forms[to] as (typeof forms)[string];
    fc.assert(
      fc.property(conversations, (conversation) => {
        expect(lossProblems(codec, conversation, through)).toEqual([]);
        const over = through.fromMessages(codec.toMessages(conversation));
        const again = through.toMessages(over);
        expect([through.fromMessages(again), through.losses(again)]).toEqual([over, []]);
      }),
      { numRuns: 100 },
    );
  },
);

const codecs: readonly [string, unknown][] = [
  ['anthropic', anthropicCodec],
  ['google', googleCodec],
  ['chat', openaiCodec],
  ['responses', responsesCodec],
];

test.each(codecs)('what is no list of messages is refused with a typed error by %s', (_name, codec) => {
  const { fromMessages, losses } = codec as Codec<unknown>;
  const messages = [[{ role: 'user' }], [{ role: 'user', content: [null] }]];
  for (const nonsense of [null, undefined, 7, 'text', {}, [null], [7], ...messages])
    for (const task of [fromMessages, losses])
      expect(() => task.call(codec, nonsense as readonly Message[])).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^[a-z-]+$/), place: expect.any(String) }),
      );
});

test.each(codecs.filter(([name]) => name !== 'responses'))(
  'what is no conversation of %s is told, not thrown',
  (_name, codec) => {
    const nonsense = [null, undefined, 7, 'text', {}, { messages: null }, { contents: { 0: {} } }];
    for (const conversation of nonsense)
      expect((codec as Codec<unknown>).validate(conversation)).toEqual([
        { index: -1, rule: 'form', detail: expect.any(String) },
      ]);
  },
);
