/** Bytes of the largest body that is read: more than any provider takes (Anthropic 32 MB, OpenAI 50 MB). A larger one passes unchanged. */
export const largestBody = 64 * 1024 * 1024;

/** A body that was not read, and why; the request passes unchanged. */
export interface Unread {
  readonly unread: 'no-body' | 'too-large' | 'unknown-form';
  /** The kind of body or packing that is not known. */
  readonly what?: string | undefined;
}

/** More packings on top of each other are no body that an agent sends. */
const mostLayers = 4;

/**
 * The text of packed bytes, as far as its packing is known and it is not too long. Throws for bytes that are not packed so.
 * @param packing a `Content-Encoding`: the first of a list was applied first
 */
export async function unpacked(bytes: Uint8Array, packing: string): Promise<string | Unread> {
  const layers = packing.split(',').map((one) => one.trim().toLowerCase());
  const unknown: Unread = { unread: 'unknown-form', what: packing };
  if (layers.length > mostLayers) return unknown;
  let left: Uint8Array = bytes;
  for (const layer of layers.reverse()) {
    const inner = await withoutLayer(left, layer);
    if (inner === undefined) return unknown;
    if (!(inner instanceof Uint8Array)) return inner;
    left = inner;
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(left);
}

/** Undefined for a packing that is not known. */
async function withoutLayer(bytes: Uint8Array, layer: string): Promise<Uint8Array | Unread | undefined> {
  switch (layer) {
    case 'identity':
    case '':
      return bytes;
    case 'gzip':
    case 'x-gzip':
      return inflated(bytes, 'gzip');
    case 'deflate':
      return inflated(bytes, 'deflate');
    case 'br':
      return brotli(bytes);
    case 'zstd':
      return zstd(bytes);
    default:
      return undefined;
  }
}

/** Read by Node itself; no other runtime knows it everywhere. */
async function brotli(bytes: Uint8Array): Promise<Uint8Array | Unread | undefined> {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  const zlib = process?.getBuiltinModule?.('node:zlib') as typeof import('node:zlib') | undefined;
  if (zlib === undefined) return undefined;
  return new Promise((resolve, reject) => {
    zlib.brotliDecompress(bytes, { maxOutputLength: largestBody }, (error, result) => {
      if (error === null) resolve(result);
      else if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') resolve(tooLarge);
      else reject(error);
    });
  });
}

async function inflated(bytes: Uint8Array, format: 'gzip' | 'deflate'): Promise<Uint8Array | Unread> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new DecompressionStream(format));
  const decoder = new BoundedBytes();
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return decoder.end();
    if (decoder.take(value)) continue;
    await reader.cancel();
    return tooLarge;
  }
}

/** Codex packs its requests so where it is logged in with ChatGPT. Node reads it by itself from 22.15 on only. */
async function zstd(bytes: Uint8Array): Promise<Uint8Array | Unread> {
  if (claimedMemory(bytes) > largestClaim) return tooLarge;
  const { Decompress } = await import('fzstd');
  const decoder = new BoundedBytes();
  let isOver = false;
  const stream = new Decompress((piece) => {
    isOver ||= !decoder.take(piece);
  });
  for (let at = 0; at < bytes.length && !isOver; at += pieceLength)
    stream.push(bytes.subarray(at, at + pieceLength), at + pieceLength >= bytes.length);
  return isOver ? tooLarge : decoder.end();
}

/** Bytes of all frames' windows together: packers claim some MB for each frame, and few make more than one. */
const largestClaim = 2 * largestBody;

/**
 * The bytes that the frames of zstd say they need, which `fzstd` takes before it unpacks: 18 bytes may claim 2 GB. Infinity for a frame that
 * claims more than is read.
 */
function claimedMemory(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let claimed = 0;
  // A frame has more bytes than this; what is cut off is refused when it is unpacked.
  for (let at = 0; at + shortestFrame <= bytes.length; ) {
    const magic = view.getUint32(at, true);
    if (magic >>> 4 === skippable) {
      at += 8 + view.getUint32(at + 4, true);
      continue;
    }
    if (magic !== zstdFrame) return claimed;
    const flags = view.getUint8(at + 4);
    const isWhole = (flags & 0x20) !== 0;
    const sizeBytes = flags >> 6 === 0 ? Number(isWhole) : 1 << (flags >> 6);
    const idBytes = [0, 1, 2, 4][flags & 3] as number;
    const sizeAt = at + (isWhole ? 5 : 6) + idBytes;
    if (sizeAt + sizeBytes > bytes.length) return claimed;
    const size = sizeOfContent(view, sizeAt, sizeBytes);
    const window = isWhole ? size : sizeOfWindow(view.getUint8(at + 5));
    if (Math.max(size, window) > largestBody) return Number.POSITIVE_INFINITY;
    claimed += window;
    at = endOfBlocks(view, sizeAt + sizeBytes) + ((flags & 4) === 0 ? 0 : 4);
  }
  return claimed;
}

const [zstdFrame, skippable, shortestFrame] = [0xfd2fb528, 0x184d2a5, 8];

function sizeOfContent(view: DataView, at: number, bytes: number): number {
  if (bytes === 8) return view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
  if (bytes === 4) return view.getUint32(at, true);
  if (bytes === 2) return view.getUint16(at, true) + 256;
  return bytes === 1 ? view.getUint8(at) : 0;
}

/** Five bits of exponent, three of mantissa. */
function sizeOfWindow(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

/** The position after the last block of a frame; after all bytes if it is cut off. */
function endOfBlocks(view: DataView, start: number): number {
  for (let at = start; at + 3 <= view.byteLength; ) {
    const header = view.getUint16(at, true) + view.getUint8(at + 2) * 2 ** 16;
    // A block of one byte that is repeated says how often.
    at += 3 + (((header >> 1) & 3) === 1 ? 1 : header >> 3);
    if ((header & 1) === 1) return at;
  }
  return view.byteLength;
}

/** Bytes that are unpacked before the length is looked at: a few of them may hold megabytes. */
const pieceLength = 4 * 1024;
const tooLarge: Unread = { unread: 'too-large' };

class BoundedBytes {
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  /** False for more than is read. */
  take(piece: Uint8Array): boolean {
    this.#length += piece.length;
    if (this.#length > largestBody) return false;
    // The packer may use it again.
    this.#pieces.push(piece.slice());
    return true;
  }

  end(): Uint8Array {
    const bytes = new Uint8Array(this.#length);
    let at = 0;
    for (const piece of this.#pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }
}
