import { anthropicCodec } from '@ctx/codec-anthropic';
import type { Message } from '@ctx/core';

test.each([
  ['bytes that are no UTF-8', { type: 'file', data: '/////w==', mediaType: 'text/plain' }],
  ['what is no base64', { type: 'file', data: 'data:text/plain;base64,%', mediaType: 'text/plain' }],
  ['a file by another URL', { type: 'file', data: 'gs://bucket/a.pdf', mediaType: 'application/pdf' }],
  ['an image whose data is no base64', { type: 'image', image: 'data:image/svg+xml,<svg/>' }],
])('%s has no form, and is left out and told', (_title, part) => {
  const message = { role: 'user', content: [{ type: 'text', text: 'look' }, part] } as Message;
  expect(anthropicCodec.fromMessages([message]).messages[0]?.content).toEqual([
    { type: 'text', text: 'look' },
  ]);
  expect(anthropicCodec.losses([message])).toEqual([{ index: 0, place: 'content[1]', what: part.type }]);
});
