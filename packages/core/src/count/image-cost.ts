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

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** JPEG has its size behind what a camera has noted; after so many pieces it is looked for no longer. A limit. */
const mostSegments = 200;

/** The pixels that the header of a PNG, JPEG, WebP or GIF names; `undefined` for anything else. */
export function imageSize(image: string): ImageSize | undefined {
  const bytes = new Base64(image);
  const size = png(bytes) ?? gif(bytes) ?? webp(bytes) ?? jpeg(bytes);
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

/** Bytes of base64, each of which is decoded when it is asked for; 0 where there is none. */
class Base64 {
  readonly #start: number;

  /** @param text base64 or a data URL */
  constructor(readonly text: string) {
    this.#start = text.startsWith('data:') ? text.indexOf(',') + 1 : 0;
  }

  at(index: number): number {
    const first = this.#start + Math.floor(index / 3) * 4 + (index % 3);
    const shift = 2 * (index % 3) + 2;
    return ((this.#digit(first) << shift) | (this.#digit(first + 1) >> (6 - shift))) & 0xff;
  }

  big(index: number, length: number): number {
    let value = 0;
    for (let at = 0; at < length; at += 1) value = value * 256 + this.at(index + at);
    return value;
  }

  little(index: number, length: number): number {
    let value = 0;
    for (let at = length - 1; at >= 0; at -= 1) value = value * 256 + this.at(index + at);
    return value;
  }

  begins(index: number, text: string): boolean {
    for (let at = 0; at < text.length; at += 1) if (this.at(index + at) !== text.charCodeAt(at)) return false;
    return true;
  }

  #digit(at: number): number {
    const code = this.text.charCodeAt(at);
    if (code >= 97 && code <= 122) return code - 71;
    if (code >= 65 && code <= 90) return code - 65;
    if (code >= 48 && code <= 57) return code + 4;
    if (code === 43 || code === 45) return 62;
    return code === 47 || code === 95 ? 63 : 0;
  }
}

function png(bytes: Base64): ImageSize | undefined {
  return bytes.begins(1, 'PNG') ? { width: bytes.big(16, 4), height: bytes.big(20, 4) } : undefined;
}

function gif(bytes: Base64): ImageSize | undefined {
  return bytes.begins(0, 'GIF8') ? { width: bytes.little(6, 2), height: bytes.little(8, 2) } : undefined;
}

function webp(bytes: Base64): ImageSize | undefined {
  if (!bytes.begins(0, 'RIFF') || !bytes.begins(8, 'WEBP')) return undefined;
  if (bytes.begins(12, 'VP8X')) return { width: bytes.little(24, 3) + 1, height: bytes.little(27, 3) + 1 };
  if (bytes.begins(12, 'VP8L')) {
    const both = bytes.little(21, 4);
    return { width: (both & 0x3fff) + 1, height: ((both >>> 14) & 0x3fff) + 1 };
  }
  return { width: bytes.little(26, 2) & 0x3fff, height: bytes.little(28, 2) & 0x3fff };
}

function jpeg(bytes: Base64): ImageSize | undefined {
  if (bytes.big(0, 2) !== 0xffd8) return undefined;
  let at = 2;
  for (let segment = 0; segment < mostSegments && bytes.at(at) === 0xff; segment += 1) {
    const kind = bytes.at(at + 1);
    // Tables and comments have such numbers too.
    const isFrame = kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind);
    if (isFrame) return { width: bytes.big(at + 7, 2), height: bytes.big(at + 5, 2) };
    at += 2 + Math.max(2, bytes.big(at + 2, 2));
  }
  return undefined;
}
