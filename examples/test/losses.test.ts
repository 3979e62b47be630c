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
  expect(lost(messages)).toEqual([
    '1 content[0]: text',
    '2 content[0].output.value[0]: text',
    '3 content: text',
  ]);
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

test.each([
  ['anthropic', anthropicCodec],
  ['google', googleCodec],
  ['chat', openaiCodec],
  ['responses', responsesCodec],
])('what is no list of messages is refused with a typed error by %s', (_name, codec) => {
  const { fromMessages, losses } = codec as Codec<unknown>;
  const messages = [[{ role: 'user' }], [{ role: 'user', content: [null] }]];
  for (const nonsense of [null, undefined, 7, 'text', {}, [null], [7], ...messages])
    for (const task of [fromMessages, losses])
      expect(() => task.call(codec, nonsense as readonly Message[])).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^[a-z-]+$/), place: expect.any(String) }),
      );
});
