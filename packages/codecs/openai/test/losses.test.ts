import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openaiCodec, responsesCodec } from '@ctx/codec-openai';
import type { Message, ToolOutput } from '@ctx/core';

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
