import { ContextManager, type Message, messageText, partsOf } from '@ctx/core';
import { assistant, call, result, transcript, user } from '@ctx/testing';
import { mediaLimitIn } from '../../src/compress/old-images.js';
import { png } from '../png.js';

const picture = (width: number, height: number, bytes = 3_000) => png(width, height, bytes);

const shot = (at: number, image: string): Message[] => {
  const value = [
    { type: 'text', text: `page ${at}` },
    { type: 'image', image },
  ] as const;
  return transcript(call(`c${at}`, 'look', { at }), result(`c${at}`, { type: 'content', value }));
};

/** A session in which the user shows a picture, and the assistant looks at others. */
function filled(images: readonly string[], text = 'Check every page.') {
  const manager = new ContextManager({ config: { contextWindow: 400_000 } });
  const shown = { type: 'image', image: picture(640, 480) } as const;
  manager.append(user([{ type: 'text', text }, shown]));
  for (const [at, image] of images.entries()) for (const message of shot(at, image)) manager.append(message);
  return manager;
}

const imagesIn = (messages: readonly Message[]) =>
  messages
    .flatMap((message) => partsOf(message))
    .flatMap((part) => {
      if (part.type === 'image') return [part.image];
      const output = part.type === 'tool-result' ? part.output : '';
      return typeof output !== 'string' && output.type === 'content'
        ? output.value.flatMap((one) => (one.type === 'image' ? [one.image] : []))
        : [];
    });

const error = (message: string, status = 400) => ({ status, message });
const tooLarge =
  'At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels';

test('of many pictures only the large ones leave, if they are old, and marks say what they were', async () => {
  const images = Array.from({ length: 24 }, (_, at) => (at === 3 ? picture(2560, 1600) : picture(1280, 800)));
  const manager = filled(images);
  const { length } = manager.view();
  const outcome = await manager.recover(error(tooLarge));
  expect(outcome.status).toBe('compressed');
  const view = manager.view();
  expect(view).toHaveLength(length);
  expect(imagesIn(view)).toHaveLength(24);
  expect(view.map(messageText).filter((text) => text.includes('left out'))).toEqual([
    'page 3\n[image of 2560 × 1600 pixels left out: the provider takes no more]',
  ]);
});

test.each([
  ['all are large', tooLarge, picture(2560, 1600), 12],
  ['a number is named', 'too many images and documents: 25 + 0 > 10', picture(1280, 800), 10],
  ['a number is named in words', 'At most 5 image(s) may be provided in one request.', picture(1280, 800), 5],
  ['nothing is named', 'too many images', picture(1280, 800), 12],
])(
  'the oldest pictures leave where %s; the task and what was not read stay',
  async (_, message, image, left) => {
    const manager = filled(Array.from({ length: 24 }, () => image));
    await manager.recover(error(message));
    const view = manager.view();
    expect(imagesIn(view)).toHaveLength(left);
    expect(imagesIn(view.slice(0, 1))).toHaveLength(1);
    expect(imagesIn(view.slice(-1))).toHaveLength(1);
    expect(manager.transcript.flatMap((said) => imagesIn([said.message]))).toHaveLength(25);
  },
);

test('a request of too many bytes loses old pictures, if they are most of it, and no text', async () => {
  const manager = filled(Array.from({ length: 10 }, () => picture(1280, 800, 30_000)));
  const texts = manager.view().map(messageText);
  await manager.recover(error('Request exceeds the maximum size', 413));
  expect(imagesIn(manager.view())).toHaveLength(5);
  await manager.recover(error('total message size 1000000 exceeds limit 500000'));
  expect(imagesIn(manager.view()).length).toBeLessThan(5);
  for (const [at, text] of manager.view().map(messageText).entries()) expect(text).toContain(texts[at]);
});

test('a request of too many bytes loses texts, if they are most of it', async () => {
  const manager = filled([picture(640, 480, 300)], 'word '.repeat(100));
  for (let at = 0; at < 40; at += 1) {
    manager.append(assistant(`answer ${at} ${'is long '.repeat(200)}`));
    manager.append(user(`Go on with ${at}.`));
  }
  const before = manager.stats().currentTokens;
  await manager.recover(error('Request exceeds the maximum size', 413));
  // Where the error names no figure, the first attempt takes off a tenth (docs/adapters.md), and little more.
  expect(manager.stats().currentTokens).toBeLessThanOrEqual(0.9 * before);
  expect(manager.stats().currentTokens).toBeGreaterThan(0.8 * before);
});

test('where no picture may leave, nothing changes', async () => {
  const manager = filled([picture(2560, 1600)]);
  const view = manager.view();
  expect((await manager.recover(error(tooLarge))).record).toBeUndefined();
  expect(manager.view()).toEqual(view);
});

test.each([
  [tooLarge, { pixels: 2000 }],
  ['Too much media: 0 document pages + 107 images > 100', { count: 100 }],
  ['too many images in the message, max allowed is 16', { count: 16 }],
  ['提供了 11 个图像，但模型最多支持 10 个图像', { count: 10 }],
  ['total message size 10176584 exceeds limit 2097152', { share: 2_097_152 / 10_176_584 }],
  ['Request exceeds the maximum size', {}],
])('%s', (text, limit) => {
  expect(mediaLimitIn(text)).toEqual({ count: undefined, pixels: undefined, share: undefined, ...limit });
});
