import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { googleCodec } from '@ctx/codec-google';
import type { Message } from '@ctx/core';

const look = { type: 'text', text: 'look' };
const user = (...content: object[]) => ({ role: 'user', content: [look, ...content] }) as Message;
const svg = { type: 'image', image: 'data:image/svg+xml,<svg/>' };

/** What is lost, as docs/codecs.md lists it, with messages and the places of their losses. */
const lost: Record<string, readonly (readonly [Message[], string[]])[]> = {
  reasoning: [
    [
      [{ role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }, look] } as Message],
      ['0 content[0]: reasoning'],
    ],
  ],
  'opaque parts': [[[user({ type: 'opaque', value: { type: 'input_audio' } })], ['0 content[1]: opaque']]],
  'images and files in the system instruction': [
    [
      [{ role: 'system', content: [look, { type: 'opaque', value: svg }] } as Message],
      ['0 content[1]: opaque'],
    ],
  ],
  'images and files by a data URL that is not base64': [
    [[user(svg)], ['0 content[1]: image']],
    [[user({ type: 'file', data: 'data:text/plain,a', mediaType: 'text/plain' })], ['0 content[1]: file']],
    [
      [
        user(),
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'read', input: {} }] },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'a',
              toolName: 'read',
              output: { type: 'content', value: [look, svg] },
            },
          ],
        } as Message,
      ],
      ['2 content[0].output.value[1]: image'],
    ],
  ],
  'the `mediaType` of a part whose data URL names another one': [
    [
      [user({ type: 'image', image: 'data:image/webp;base64,AAAA', mediaType: 'image/png' })],
      ['0 content[1].mediaType: mediaType'],
    ],
  ],
  'empty texts': [[[user({ type: 'text', text: '' })], ['0 content[1]: text']]],
  'the position of a system message after other messages': [
    [[user(), { role: 'system', content: 'be brief' }], ['1 content: position']],
  ],
};

test.each(Object.entries(lost).flatMap(([what, cases]) => cases.map((one) => [what, ...one] as const)))(
  '%s: left out, and told',
  (_what, messages, expected) => {
    const losses = googleCodec.losses(messages).map(({ index, place, what }) => `${index} ${place}: ${what}`);
    expect(losses).toEqual(expected);
    const sent = googleCodec.fromMessages(messages);
    expect(googleCodec.losses(googleCodec.toMessages(sent))).toEqual([]);
    expect(JSON.stringify(sent)).toContain('look');
  },
);

const strange = { type: 'opaque', value: { type: 'input_audio' } };

test.each([
  ['parts of another provider', [strange]],
  ['an empty text', ''],
])('a message of the user that holds nothing but %s keeps its place', (_what, content) => {
  const messages = [
    { role: 'user', content },
    { role: 'assistant', content: 'I look.' },
  ] as Message[];
  const sent = googleCodec.fromMessages(messages);
  expect(sent.contents[0]).toEqual({
    role: 'user',
    parts: [{ text: '[A message that cannot be shown here]' }],
  });
  expect(googleCodec.validate(sent)).toEqual([]);
  expect(googleCodec.losses(messages).map(({ index }) => index)).toEqual([0]);
});

test('docs/codecs.md lists what is lost, and nothing else', () => {
  const page = readFileSync(join(__dirname, '../../../../docs/codecs.md'), 'utf8');
  const [, section = ''] = /## Google\n[\s\S]*?What is lost:\n([\s\S]*?)\n## /.exec(page) ?? [];
  const rows = [...section.matchAll(/^\| (.+?) \|/gm)].map(([, what]) => what).slice(1);
  expect(rows).toEqual(Object.keys(lost));
});
