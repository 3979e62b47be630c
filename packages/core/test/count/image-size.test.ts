import { imageSize, tokensByPixels, usualImageCost } from '../../src/count/image-cost.js';
import { png } from '../png.js';

const base64 = (...bytes: (number | string)[]) =>
  Buffer.concat(
    bytes.map((one) => (typeof one === 'string' ? Buffer.from(one, 'latin1') : Buffer.from([one]))),
  ).toString('base64');
const zeros = (count: number) => '\0'.repeat(count);

/** A JPEG whose size stands behind 16 KB of what the camera noted, and a table. */
const camera = [0xff, 0xd8, 0xff, 0xe1, 0x40, 0x02, zeros(0x4000)];
const table = [0xff, 0xc4, 0, 4, 9, 9];
const jpeg = base64(...camera, ...table, 0xff, 0xc2, 0, 17, 8, 2, 0x58, 3, 0x20);

test.each([
  ['PNG', png(1280, 800), 1280, 800],
  ['GIF', base64('GIF89a', 0x40, 0x01, 0xf0, 0x00, zeros(8)), 320, 240],
  ['WebP', base64('RIFF', zeros(4), 'WEBPVP8 ', zeros(10), 0x80, 0x02, 0xe0, 0x01), 640, 480],
  ['lossless WebP', base64('RIFF', zeros(4), 'WEBPVP8L', zeros(4), 0x2f, 0x7f, 0xc2, 0x77, 0x00), 640, 480],
  ['extended WebP', base64('RIFF', zeros(4), 'WEBPVP8X', zeros(8), 0x7f, 0x02, 0, 0xdf, 0x01, 0), 640, 480],
  ['JPEG behind what a camera notes', jpeg, 800, 600],
])('the pixels of a %s', (_, image, width, height) => {
  expect(imageSize(image)).toEqual({ width, height });
  expect(imageSize(`data:image/any;base64,${image}`)).toEqual({ width, height });
});

test.each([
  '',
  'https://example.org/a.png',
  'iVBORw0KGgo=',
  png(0, 800),
  '/9j/',
  base64(0xff, 0xd8, 0xff, 0xd9),
  'x'.repeat(90),
])('nothing is said of %j', (image) => expect(imageSize(image)).toBeUndefined());

test('an image is scaled down and counted in squares', () => {
  const claude = usualImageCost;
  expect(tokensByPixels(png(1280, 720), claude)).toBe(46 * 26);
  expect(tokensByPixels(png(256, 256), claude)).toBe(100);
  expect(tokensByPixels(png(4000, 3000), claude)).toBe(1600);
  const gpt = { base: 85, tile: 512, perTile: 170, longEdge: 2048, shortEdge: 768 };
  expect(tokensByPixels(png(1024, 1024), gpt)).toBe(765);
  expect(tokensByPixels(png(2048, 4096), gpt)).toBe(1105);
  expect(tokensByPixels(png(300, 300), { base: 1100, tile: 768, perTile: 0 })).toBe(1100);
  expect(tokensByPixels('https://example.org/a.png', gpt)).toBeUndefined();
});
