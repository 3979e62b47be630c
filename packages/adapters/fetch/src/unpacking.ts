/** Bytes of the largest body that is read: more than any provider takes (Anthropic 32 MB, OpenAI 50 MB). A larger one passes unchanged. */
export const largestBody = 64 * 1024 * 1024;

/** A body that was not read, and why; the request passes unchanged. */
export interface Unread {
  readonly unread: 'no-body' | 'too-large' | 'unknown-form';
  /** The kind of body or packing that is not known. */
  readonly what?: string | undefined;
}

export const tooLarge: Unread = { unread: 'too-large' };

/** More packings on top of each other are no body that an agent sends. */
const mostLayers = 4;

/** By `Content-Encoding`, the function of `node:zlib` that unpacks it. */
const unpackers = { gzip: 'gunzip', deflate: 'inflate', br: 'brotliDecompress' } as const;

/**
 * The bytes in packed ones, as far as the packing is known and they are not too many. Throws for bytes that are not packed so.
 * @param packing a `Content-Encoding`: the first of a list was applied first
 */
export async function unpacked(bytes: Uint8Array, packing: string): Promise<Uint8Array | Unread> {
  const layers = packing.split(',').map((one) => one.trim().toLowerCase().replace(/^x-/, ''));
  if (layers.length > mostLayers) return { unread: 'unknown-form', what: packing };
  let left: Uint8Array | Unread = bytes;
  for (const layer of layers.reverse())
    if (left instanceof Uint8Array) left = await withoutLayer(left, layer);
  return left;
}

async function withoutLayer(bytes: Uint8Array, packing: string): Promise<Uint8Array | Unread> {
  if (packing === 'identity' || packing === '') return bytes;
  if (packing === 'zstd') return zstd(bytes);
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  const zlib = process?.getBuiltinModule?.('node:zlib') as typeof import('node:zlib') | undefined;
  if (zlib === undefined || !Object.hasOwn(unpackers, packing))
    return { unread: 'unknown-form', what: packing };
  const unpack: typeof zlib.gunzip = zlib[unpackers[packing as keyof typeof unpackers]];
  return new Promise((resolve, reject) => {
    unpack(bytes, { maxOutputLength: largestBody }, (error, result) => {
      if (error === null) resolve(result);
      else if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') resolve(tooLarge);
      else reject(error);
    });
  });
}

/** Codex packs its requests so where it is logged in with ChatGPT. Node unpacks it by itself from 22.15 on only. */
async function zstd(bytes: Uint8Array): Promise<Uint8Array | Unread> {
  const { decompress } = await import('fzstd');
  // Given the room for the text, `fzstd` takes none of its own: 18 bytes may claim 2 GB. It compares what it is given with a number.
  const given = Object.assign(new Uint8Array(largestBody + 1), { valueOf: () => 0 });
  const room = decompress(bytes, given);
  // JSON has no zeros: they are what was not written.
  const end = room.indexOf(0);
  return end < 0 ? tooLarge : room.subarray(0, end);
}
