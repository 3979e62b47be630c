import type { LanguageModelV3Prompt } from '@ai-sdk/provider-v3';
import type { LanguageModelV4Prompt } from '@ai-sdk/provider-v4';
import { modelMessageCodec, promptCodec, promptCodecFor } from '@ctx/codec-ai-sdk';
import { type Codec, ContextManager, type Message, partsOf } from '@ctx/core';
import { replacePart } from '@ctx/core/kit';
import { type ModelMessage, modelMessageSchema } from 'ai-v6';
import type { ModelMessage as ModelMessage7 } from 'ai-v7';
import type { AiSdkCodec } from '../src/codecs.js';

const bytes = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);
const base64 = 'iVBORw0KGgo=';
const url = new URL('https://example.org/a.png');

const messages = (): ModelMessage[] => [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'look' },
      { type: 'image', image: bytes },
      { type: 'image', image: new Uint8Array([0, ...bytes, 0]).subarray(1, 9), mediaType: 'image/png' },
      { type: 'image', image: bytes.buffer },
      { type: 'image', image: Buffer.from(bytes) },
      { type: 'image', image: url },
      { type: 'file', data: bytes, mediaType: 'application/pdf', filename: 'a.pdf' },
      { type: 'file', data: url, mediaType: 'application/pdf' },
    ],
  },
  { role: 'assistant', content: [{ type: 'file', data: bytes, mediaType: 'image/png' }] },
];
const tagged = (): ModelMessage7[] => [
  {
    role: 'user',
    content: [
      { type: 'file', data: { type: 'data', data: bytes }, mediaType: 'image' },
      {
        type: 'file',
        data: { type: 'url', url, originalUrl: 'https://example.org/./a.png' },
        mediaType: 'image',
      },
    ],
  },
  {
    role: 'assistant',
    content: [{ type: 'reasoning-file', data: { type: 'data', data: bytes }, mediaType: 'image/png' }],
  },
];
const prompt = (): LanguageModelV3Prompt => [
  {
    role: 'user',
    content: [
      { type: 'file', data: bytes, mediaType: 'image/png' },
      { type: 'file', data: url, mediaType: 'image/*' },
    ],
  },
];

const image = { type: 'image', image: base64 };

/** What the user says, with base64 and text in place of objects. */
const plain = [
  { type: 'text', text: 'look' },
  image,
  { ...image, mediaType: 'image/png' },
  image,
  image,
  { type: 'image', image: url.href },
  { type: 'file', data: base64, mediaType: 'application/pdf', filename: 'a.pdf' },
  { type: 'file', data: url.href, mediaType: 'application/pdf' },
];

test('bytes and URL objects are base64 and text to core', () => {
  const parts = modelMessageCodec.toMessages(messages()).map(partsOf);
  expect(parts).toEqual([plain, [{ ...image, mediaType: 'image/png' }]]);
});

test.each<[string, Codec<unknown[]>, unknown[]]>([
  ['messages', modelMessageCodec as Codec<unknown[]>, messages()],
  ['messages of version 7', modelMessageCodec as Codec<unknown[]>, tagged()],
  ['a prompt', promptCodec as Codec<unknown[]>, prompt()],
])('%s with bytes come back as the same objects', (_what, codec, native) => {
  const back = codec.fromMessages(codec.toMessages(native));
  expect(back.every((one, index) => one === native[index])).toBe(true);
  expect(codec.losses(codec.toMessages(native))).toEqual([]);
});

test('an edit leaves the bytes of the other parts alone', () => {
  const native = messages();
  const [user, assistant] = modelMessageCodec.toMessages(native) as [Message, Message];
  const edited = replacePart(user, { part: 2, text: '[removed]' }) as Message;
  const [first, second] = modelMessageCodec.fromMessages<ModelMessage>([edited, assistant]);
  const before = native[0]?.content as unknown[];
  expect(first?.content).toHaveLength(before.length);
  for (const [index, part] of ((first?.content ?? []) as unknown[]).entries()) {
    if (index === 2) expect(part).toEqual({ type: 'text', text: '[removed]' });
    else expect(part).toBe(before[index]);
  }
  expect(second).toBe(native[1]);
});

/** What a program reads from a file after a restart. */
function restored<Native>(codec: AiSdkCodec<Native>, native: readonly Native[]): readonly Native[] {
  const manager = new ContextManager({ config: { contextWindow: 100_000 } });
  for (const message of codec.toMessages(native)) manager.append(message);
  const text = JSON.stringify(manager.snapshot());
  expect(text).not.toContain('"0":137');
  const again = ContextManager.restore(JSON.parse(text), { config: { contextWindow: 100_000 } });
  return codec.fromMessages(again.view());
}

test('after a snapshot bytes are base64, which the SDK takes as well', () => {
  const back = restored(modelMessageCodec, messages());
  expect(back).toEqual([
    { role: 'user', content: plain },
    { role: 'assistant', content: [{ type: 'file', data: base64, mediaType: 'image/png' }] },
  ]);
  for (const message of back) expect(modelMessageSchema.safeParse(message).success).toBe(true);
});

test('after a snapshot URLs are objects again where the SDK wants objects', () => {
  const [user] = restored(modelMessageCodec, tagged());
  expect(user?.content).toEqual([
    { type: 'file', data: { type: 'data', data: base64 }, mediaType: 'image' },
    {
      type: 'file',
      data: { type: 'url', url, originalUrl: 'https://example.org/./a.png' },
      mediaType: 'image',
    },
  ]);
  const [asked] = restored(promptCodec, prompt());
  const [, second] = (asked?.content ?? []) as readonly { data?: unknown }[];
  expect(second?.data).toEqual(url);
  expect(second?.data).toBeInstanceOf(URL);
});

test('a prompt with the text of a URL, which is no base64, comes back as it was', () => {
  const native = [
    { role: 'user' as const, content: [{ type: 'file' as const, data: url.href, mediaType: 'image/png' }] },
  ];
  expect(promptCodec.fromMessages(promptCodec.toMessages(native))[0]).toBe(native[0]);
});

test('images and files of another codec take the form of the version', () => {
  const bare: Message[] = [
    {
      role: 'user',
      content: [
        { type: 'image', image: 'data:image/webp;base64,UklGRg==' },
        { type: 'image', image: url.href },
        { type: 'file', data: 'JVBERi0=', mediaType: 'application/pdf', filename: 'a.pdf' },
        { type: 'file', data: 'data:text/plain,a%20b', mediaType: 'text/plain' },
      ],
    },
  ];
  const pdf = { mediaType: 'application/pdf', filename: 'a.pdf' };
  const v3: LanguageModelV3Prompt = promptCodecFor('v3').fromMessages(bare);
  expect(v3[0]?.content).toEqual([
    { type: 'file', data: 'UklGRg==', mediaType: 'image/webp' },
    { type: 'file', data: url, mediaType: 'image/*' },
    { type: 'file', data: 'JVBERi0=', ...pdf },
    { type: 'file', data: 'YSBi', mediaType: 'text/plain' },
  ]);
  const v4: LanguageModelV4Prompt = promptCodecFor('v4').fromMessages(bare);
  expect(v4[0]?.content).toEqual([
    { type: 'file', data: { type: 'data', data: 'UklGRg==' }, mediaType: 'image/webp' },
    { type: 'file', data: { type: 'url', url }, mediaType: 'image/*' },
    { type: 'file', data: { type: 'data', data: 'JVBERi0=' }, ...pdf },
    { type: 'file', data: { type: 'data', data: 'YSBi' }, mediaType: 'text/plain' },
  ]);
  const [message] = modelMessageCodec.fromMessages<ModelMessage>(bare);
  expect(message).toEqual(bare[0]);
  expect(modelMessageSchema.safeParse(message).success).toBe(true);
});
