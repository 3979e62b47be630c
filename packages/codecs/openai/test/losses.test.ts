import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChatMessage, openaiCodec, responsesCodec } from '@ctx/codec-openai';
import type { Message, ToolOutput } from '@ctx/core';
import { carriedLosses } from '@ctx/core/codec';

test.each([
  ['{"n":12345678901234567890}', 1],
  ['{"n":1e999}', 1],
  ['{"n":1e-999}', 1],
  ['{"a":1,"a":2}', 1],
  ['{"n":9007199254740991,"a":0.1,"b":-2.50,"c":"1\\"e999"}', 0],
  ['{"a": ', 0],
])('arguments that parsing changes are carried: %s', (text, count) => {
  const call = { id: 'a', type: 'function', function: { name: 'read', arguments: text } };
  const [message] = openaiCodec.toMessages([{ role: 'assistant', tool_calls: [call] } as ChatMessage]);
  const lost = message === undefined ? [] : carriedLosses(message, 0, 'anthropic');
  expect(lost).toEqual(
    Array.from({ length: count }, () => ({
      index: 0,
      place: 'tool_calls[0].function.arguments',
      what: 'arguments',
    })),
  );
});

const page = readFileSync(join(__dirname, '../../../../docs/codecs.md'), 'utf8');
/** The rows of the table of what is lost. */
const rows = page
  .slice(page.indexOf('What is lost in both:'), page.indexOf('## Anthropic'))
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| what'))
  .map(
    (line) =>
      line
        .split('|')
        .slice(1, 4)
        .map((cell) => cell.trim()) as [string, string, string],
  );

const url = 'https://example.org/a';
const user = (...content: object[]) => ({ role: 'user', content }) as Message;
const assistant = (...content: object[]) =>
  ({ role: 'assistant', content: [{ type: 'text', text: 'see' }, ...content] }) as Message;
const result = (output: ToolOutput, more: object = {}) =>
  ({
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'read', output, ...more }],
  }) as Message;
const pdf = { type: 'file' as const, data: 'JVBERi0=', mediaType: 'application/pdf' };
const png = { type: 'image' as const, image: 'iVBORw0KGgo=', mediaType: 'image/png' };

const saying: Readonly<Record<string, readonly [message: Message, what: string]>> = {
  '`reasoning`': [assistant({ type: 'reasoning', text: 'hm' }), 'reasoning'],
  '`opaque` of another provider': [user({ type: 'opaque', value: { x: 1 } }), 'opaque'],
  '`image` of the assistant': [assistant(png), 'image'],
  '`file` of the assistant': [assistant(pdf), 'file'],
  '`image` in a result': [result({ type: 'content', value: [png] }), 'image'],
  '`file` in a result': [result({ type: 'content', value: [pdf] }), 'file'],
  '`file` by a URL': [user({ ...pdf, data: `${url}.pdf` }), 'file'],
  '`mediaType` of a URL': [user({ type: 'image', image: url, mediaType: 'image/png' }), 'mediaType'],
  '`isError` of a result': [result('no such file', { isError: true }), 'isError'],
  'field of another provider’s form': [
    {
      ...user({ type: 'text', text: 'a' }),
      native: { codec: 'other', message: {}, carries: ['a.cache_control'] },
    },
    'cache_control',
  ],
};

test('docs/codecs.md lists all that has no form', () => {
  expect(rows.map(([what]) => what.replace("'", '’'))).toEqual(Object.keys(saying));
});

test.each(rows)('%s is %s and %s', (row, chat, responses) => {
  const [message, what] = saying[row.replace("'", '’')] ?? [];
  const fates = [openaiCodec, responsesCodec].map((codec) => {
    const losses = codec.losses(message === undefined ? [] : [message]);
    return losses.some((loss) => loss.what === what) ? 'lost' : 'kept';
  });
  expect(fates).toEqual([chat, responses]);
});
