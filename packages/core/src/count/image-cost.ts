/** How a provider counts an image: it is scaled down, and divided into squares. */
export interface ImageCost {
  /** The edge of a square, in pixels. Squares at the border count whole. */
  readonly tile: number;
  /** Tokens of a square. */
  readonly perTile: number;
  /** Tokens of an image whatever its size. @default 0 */
  readonly base?: number | undefined;
  /** Pixels to which the longer edge is scaled down. @default not scaled */
  readonly longEdge?: number | undefined;
  /** Pixels to which the shorter edge is scaled down. @default not scaled */
  readonly shortEdge?: number | undefined;
  /** The most squares: a larger image is scaled down. @default no limit */
  readonly mostTiles?: number | undefined;
}

/** Where nothing is known of the provider. */
export const usualImageCost: ImageCost = { tile: 28, perTile: 1, longEdge: 1568, mostTiles: 1600 };

/** Tokens of an image by its pixels; `undefined` if they are not known. */
export function tokensByPixels(image: string, cost: ImageCost): number | undefined {
  const size = imageSize(image);
  if (size === undefined) return undefined;
  const { tile, perTile, base = 0, longEdge = Infinity, shortEdge = Infinity, mostTiles = Infinity } = cost;
  const { width, height } = size;
  const scale = Math.min(1, longEdge / Math.max(width, height), shortEdge / Math.min(width, height));
  const tiles = Math.ceil((width * scale) / tile) * Math.ceil((height * scale) / tile);
  return Math.ceil(base + perTile * Math.min(mostTiles, tiles));
}

type ImageSize = Readonly<Record<'width' | 'height', number>>;

/** Base64 characters of a header, and of a JPEG, which has its size behind what a camera has noted. Limits. */
const headerLength = 64;
const jpegLength = 1_000_000;

/** The pixels that the header of a PNG, JPEG, WebP or GIF names; `undefined` for anything else. */
export function imageSize(image: string): ImageSize | undefined {
  const header = bytesOf(image, headerLength);
  const size = png(header) ?? gif(header) ?? webp(header) ?? jpeg(header, image);
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

/** The first bytes of base64 or a data URL, as characters; empty for anything else. */
function bytesOf(image: string, most: number): string {
  const start = image.startsWith('data:') ? image.indexOf(',') + 1 : 0;
  const text = image
    .slice(start, start + most)
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  try {
    return atob(text.slice(0, text.length - (text.length % 4)));
  } catch {
    return '';
  }
}

function numberAt(bytes: string, index: number, length: number): number {
  let value = 0;
  for (let at = index; at < index + length; at += 1) value = value * 256 + (bytes.charCodeAt(at) || 0);
  return value;
}

const littleAt = (bytes: string, index: number, length: number) =>
  numberAt([...bytes.slice(index, index + length)].reverse().join(''), 0, length);

function png(bytes: string): ImageSize | undefined {
  if (!bytes.startsWith('PNG', 1)) return undefined;
  return { width: numberAt(bytes, 16, 4), height: numberAt(bytes, 20, 4) };
}

function gif(bytes: string): ImageSize | undefined {
  if (!bytes.startsWith('GIF8')) return undefined;
  return { width: littleAt(bytes, 6, 2), height: littleAt(bytes, 8, 2) };
}

function webp(bytes: string): ImageSize | undefined {
  if (!bytes.startsWith('RIFF') || !bytes.startsWith('WEBP', 8)) return undefined;
  if (bytes.startsWith('VP8X', 12))
    return { width: littleAt(bytes, 24, 3) + 1, height: littleAt(bytes, 27, 3) + 1 };
  if (bytes.startsWith('VP8L', 12)) {
    const both = littleAt(bytes, 21, 4);
    return { width: (both & 0x3fff) + 1, height: ((both >>> 14) & 0x3fff) + 1 };
  }
  return { width: littleAt(bytes, 26, 2) & 0x3fff, height: littleAt(bytes, 28, 2) & 0x3fff };
}

function jpeg(header: string, image: string): ImageSize | undefined {
  if (numberAt(header, 0, 2) !== 0xffd8) return undefined;
  const bytes = bytesOf(image, jpegLength);
  for (let at = 2; bytes.charCodeAt(at) === 0xff; at += 2 + Math.max(2, numberAt(bytes, at + 2, 2))) {
    const kind = bytes.charCodeAt(at + 1);
    // Tables and comments have such numbers too.
    const isFrame = kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind);
    if (isFrame) return { width: numberAt(bytes, at + 7, 2), height: numberAt(bytes, at + 5, 2) };
  }
  return undefined;
}
