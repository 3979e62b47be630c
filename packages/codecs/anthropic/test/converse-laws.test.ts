import { anthropicCodec, type ConverseConversation, converseCodec } from '@ctx/codec-anthropic';
import type { Message } from '@ctx/core';
import { testCodec, unique, uniqueData } from '@ctx/testing';
import fc from 'fast-check';

const conversation = (messages: object[], system?: object[]) =>
  ({ ...(system && { system }), messages }) as ConverseConversation;
const user = (...content: object[]) => ({ role: 'user', content });
const assistant = (...content: object[]) => ({ role: 'assistant', content });
const use = (id: string, input: object = {}) => ({ toolUse: { toolUseId: id, name: 'read', input } });
const result = (id: string, content: object[], more = {}) => ({
  toolResult: { toolUseId: id, content, ...more },
});

const anyRound: fc.Arbitrary<readonly object[]> = fc.oneof(
  fc.constant([user({ text: unique }), assistant({ text: unique })]),
  fc.constant([
    user({ text: 'look' }, { image: { format: 'png', source: { bytes: uniqueData } } }),
    assistant({ text: unique }, use('a', { path: unique })),
    user(result('a', [{ text: unique }])),
    assistant({ text: unique }),
  ]),
  fc.constant([
    user({ document: { format: 'pdf', name: unique, source: { bytes: uniqueData } } }, { text: unique }),
    assistant({ text: unique }, { cachePoint: { type: 'default' } }),
  ]),
);

testCodec<ConverseConversation>({
  name: 'bedrock-converse',
  codec: converseCodec,
  fixtures: {
    'plain text': conversation(
      [user({ text: 'why?' }), assistant({ text: 'because' })],
      [{ text: 'be kind' }, { cachePoint: { type: 'default' } }],
    ),
    'thinking, calls, results and a question after them': conversation([
      user({ text: 'read both' }),
      assistant(
        { reasoningContent: { reasoningText: { text: 'first a', signature: 'c2ln' } } },
        { reasoningContent: { redactedContent: 'b3BhcXVl' } },
        { text: 'reading' },
        use('a', { path: 'a' }),
        use('b'),
      ),
      user(
        result('a', [{ text: 'A' }], { status: 'success' }),
        result('b', [{ text: 'no such file' }], { status: 'error' }),
        { text: 'stop after this' },
      ),
      assistant({ text: 'stopped' }),
    ]),
    'pictures, documents and blocks that Anthropic has no word for': conversation([
      user(
        { text: 'what is this?' },
        { image: { format: 'jpeg', source: { bytes: '/9j/4AAQ' } } },
        { document: { format: 'pdf', name: 'a', source: { bytes: 'JVBERi0=' } } },
        { document: { format: 'csv', name: 'b', source: { bytes: 'YSxi' } } },
        { video: { format: 'mp4', source: { s3Location: { uri: 's3://a/b' } } } },
        { cachePoint: { type: 'default' } },
      ),
      assistant({ text: 'a cat' }),
    ]),
  },
  nativesOf: ({ system = [], messages }) => [...system, ...messages],
  blocksOf: ({ system = [], messages }) => [
    ...system.map((block) => ['system', block]),
    ...messages.flatMap(({ role, content }) => content.map((block) => [role, block])),
  ],
  conversations: fc
    .array(anyRound, { minLength: 1, maxLength: 4 })
    .map((rounds) => conversation(rounds.flat(), [{ text: unique }])),
  keptFields: [],
  deviations: [
    {
      law: 'keeps all of them on any that its provider accepts',
      reason: 'neighbours of one role are joined',
    },
  ],
  refused: {
    'no messages': { conversation: { system: [] }, place: 'messages' },
    'content that is a text': {
      conversation: { messages: [{ role: 'user', content: 'hi' }] },
      place: 'messages[0].content',
    },
    'a call without a name': {
      conversation: conversation([assistant({ toolUse: { toolUseId: 'a', input: {} } })]),
      place: 'messages[0].content[0].toolUse.name',
    },
  },
});

test('JSON in a result is read and cut as a text, and stays JSON where nothing is cut', () => {
  const native = conversation([
    user({ text: 'read' }),
    assistant(use('a')),
    user(result('a', [{ json: { rows: [1, 2] } }])),
  ]);
  const messages = converseCodec.toMessages(native);
  expect(messages[2]).toMatchObject({ content: [{ output: { value: [{ text: '{"rows":[1,2]}' }] } }] });
  expect(converseCodec.fromMessages(structuredClone(messages))).toEqual(native);
});

test('a cache point that moves changes nothing that is said, and stays where it is', () => {
  const point = { cachePoint: { type: 'default', ttl: '1h' } };
  const [asked, answered] = [user({ text: 'look' }), assistant({ text: 'reading' }, use('a'))];
  const [found, marked] = [result('a', [{ text: unique }]), { ...result('a', [{ text: unique }]) }];
  const before = conversation(
    [user({ text: 'look' }, point), answered, user(found)],
    [{ text: 'Hi' }, point],
  );
  const after = conversation([asked, answered, user(marked, point)], [{ text: 'Hi' }]);
  const said = ({ role, content }: Message) => ({ role, content });
  expect(converseCodec.toMessages(before).map(said)).toEqual(converseCodec.toMessages(after).map(said));
  for (const one of [before, after]) {
    expect(converseCodec.fromMessages(converseCodec.toMessages(one))).toEqual(one);
    expect(converseCodec.fromMessages(structuredClone(converseCodec.toMessages(one)))).toEqual(one);
  }
});

test('roles take turns, whoever made the messages', () => {
  const messages = anthropicCodec.toMessages({
    messages: [
      { role: 'user', content: 'one' },
      { role: 'user', content: 'two' },
    ],
  });
  expect(converseCodec.fromMessages(messages)).toEqual({
    messages: [user({ text: 'one' }, { text: 'two' })],
  });
});

test('a picture that is only named is lost, and said to be', () => {
  const content = [
    { type: 'text', text: 'what is this?' },
    { type: 'image', image: 'https://example.org/a.png' },
  ] as const;
  const messages = [{ role: 'user' as const, content }];
  expect(converseCodec.fromMessages(messages)).toEqual({ messages: [user({ text: 'what is this?' })] });
  expect(converseCodec.losses(messages)).toEqual([{ index: 0, place: 'content[1]', what: 'image' }]);
});
