import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { anthropicCodec } from '@ctx/codec-anthropic';
import type { Message } from '@ctx/core';

const look = { type: 'text', text: 'look' };
const png = { type: 'image', image: 'iVBORw0KGgo=' };
const user = (...content: object[]) => ({ role: 'user', content: [look, ...content] }) as Message;
const assistant = (...content: object[]) => ({ role: 'assistant', content: [look, ...content] }) as Message;

/** What is lost, as docs/codecs.md lists it, with messages and the places of their losses. */
const lost: Record<string, readonly (readonly [Message[], string[]])[]> = {
  reasoning: [[[assistant({ type: 'reasoning', text: 'hm' })], ['0 content[1]: reasoning']]],
  'opaque parts': [[[user({ type: 'opaque', value: { type: 'input_audio' } })], ['0 content[1]: opaque']]],
  'images and files of the assistant': [[[assistant(png)], ['0 content[1]: image']]],
  'images and files in the system prompt': [
    [
      [{ role: 'system', content: [look, { type: 'opaque', value: png }] } as Message],
      ['0 content[1]: opaque'],
    ],
  ],
  'files that are neither PDF nor text': [
    [[user({ type: 'file', data: 'UEsDBA==', mediaType: 'application/zip' })], ['0 content[1]: file']],
    [[user({ type: 'file', data: '/////w==', mediaType: 'text/plain' })], ['0 content[1]: file']],
    [
      [user({ type: 'file', data: 'data:text/plain;base64,%', mediaType: 'text/plain' })],
      ['0 content[1]: file'],
    ],
  ],
  'data URLs that are not base64, and URLs other than `http`': [
    [[user({ type: 'image', image: 'data:image/svg+xml,<svg/>' })], ['0 content[1]: image']],
    [
      [user({ type: 'file', data: 'gs://bucket/a.pdf', mediaType: 'application/pdf' })],
      ['0 content[1]: file'],
    ],
  ],
  'a `mediaType` that the data URL or a URL does not say': [
    [
      [user({ type: 'image', image: 'data:image/webp;base64,AAAA', mediaType: 'image/png' })],
      ['0 content[1].mediaType: mediaType'],
    ],
    [
      [user({ type: 'file', data: 'https://example.org/a', mediaType: 'text/plain' })],
      ['0 content[1].mediaType: mediaType'],
    ],
  ],
  'texts of white space only': [[[user({ type: 'text', text: ' \n' })], ['0 content[1]: text']]],
  'the position of a system message of another provider': [
    [[user(), { role: 'system', content: 'be brief' }], ['1 content: position']],
  ],
};

test.each(Object.entries(lost).flatMap(([what, cases]) => cases.map((one) => [what, ...one] as const)))(
  '%s: left out, and told',
  (_what, messages, expected) => {
    const losses = anthropicCodec
      .losses(messages)
      .map(({ index, place, what }) => `${index} ${place}: ${what}`);
    expect(losses).toEqual(expected);
    const sent = anthropicCodec.fromMessages(messages);
    expect(anthropicCodec.losses(anthropicCodec.toMessages(sent))).toEqual([]);
    expect(JSON.stringify(sent)).toContain('look');
  },
);

test.each([
  ['parts of another provider', [{ type: 'opaque', value: { type: 'input_audio' } }]],
  ['white space', ' \n'],
])('a message of the user that holds nothing but %s keeps its place', (_what, content) => {
  const messages = [
    { role: 'user', content },
    { role: 'assistant', content: 'I look.' },
  ] as Message[];
  const sent = anthropicCodec.fromMessages(messages);
  expect(JSON.stringify(sent.messages[0])).toContain('[A message that cannot be shown here]');
  expect(anthropicCodec.validate(sent)).toEqual([]);
  expect(anthropicCodec.losses(messages).map(({ index }) => index)).toEqual([0]);
});

test('docs/codecs.md lists what is lost, and nothing else', () => {
  const page = readFileSync(join(__dirname, '../../../../docs/codecs.md'), 'utf8');
  const [, section = ''] = /## Anthropic\n[\s\S]*?What is lost:\n([\s\S]*?)\n## /.exec(page) ?? [];
  const rows = [...section.matchAll(/^\| (.+?) \|/gm)].map(([, what]) => what).slice(1);
  expect(rows).toEqual(Object.keys(lost));
});
