import { type AnthropicConversation, anthropicCodec } from '@ctx/codec-anthropic';
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

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
const marked = { cache_control: { type: 'ephemeral' } };

test('parts without a form in Chat Completions are listed with their place', () => {
  const messages = anthropicCodec.toMessages({
    system: [{ type: 'text', text: 'be kind', ...marked }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a' }, title: 'notes' },
          { type: 'text', text: 'go', ...marked },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: '', signature: 'c2ln' },
          { type: 'tool_use', id: 'a', name: 'read', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'a',
            content: [{ type: 'text', text: 'seen', ...marked }, image],
            is_error: true,
          },
        ],
      },
    ],
  } as AnthropicConversation);
  expect(lost(messages, openaiCodec)).toEqual([
    '2 content[0]: reasoning',
    '3 content[0].isError: isError',
    '3 content[0].output.value[1]: image',
  ]);
  expect(lost(messages)).toEqual([]);
});

test('parts without a form in the Messages API are listed with their place', () => {
  const messages = openaiCodec.toMessages([
    { role: 'system', content: 'be kind' },
    {
      role: 'user',
      name: 'Ada',
      content: [
        { type: 'image_url', image_url: { url: 'https://example.org/a.png', detail: 'low' } },
        { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
      ],
    },
    { role: 'assistant', content: 'ok', refusal: 'no', reasoning_content: 'hm' } as never,
    { role: 'developer', content: 'be brief' },
  ]);
  expect(lost(messages)).toEqual(['1 content[1]: opaque', '2 content[1]: opaque', '3 content: position']);
  expect(lost(messages, openaiCodec)).toEqual([]);
});

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
