/** Bytes of the largest body that is read: more than any provider takes (Anthropic 32 MB, OpenAI 50 MB). A larger one passes unchanged. */
export const largestBody = 64 * 1024 * 1024;

/** A body that was not read, and why; the request passes unchanged. */
export interface Unread {
  readonly unread: 'no-body' | 'too-large' | 'unknown-form';
  /** The kind of body or packing that is not known. */
  readonly what?: string | undefined;
}

/** The text of packed bytes, as far as its packing is known and it is not too long. Throws for bytes that are not packed so. */
export async function unpacked(bytes: Uint8Array, packing: string): Promise<string | Unread> {
  switch (packing.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return inflated(bytes, 'gzip');
    case 'deflate':
      return inflated(bytes, 'deflate');
    case 'zstd':
      return zstd(bytes);
    default:
      return { unread: 'unknown-form', what: packing };
  }
}

async function inflated(bytes: Uint8Array, format: 'gzip' | 'deflate'): Promise<string | Unread> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new DecompressionStream(format));
  const decoder = new BoundedDecoder();
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
async function zstd(bytes: Uint8Array): Promise<string | Unread> {
  const { Decompress } = await import('fzstd');
  const decoder = new BoundedDecoder();
  let isOver = false;
  const stream = new Decompress((piece) => {
    isOver ||= !decoder.take(piece);
  });
  for (let at = 0; at < bytes.length && !isOver; at += pieceLength)
    stream.push(bytes.subarray(at, at + pieceLength), at + pieceLength >= bytes.length);
  return isOver ? tooLarge : decoder.end();
}

/** Bytes that are unpacked before the length is looked at: a few of them may hold megabytes. */
const pieceLength = 4 * 1024;
const tooLarge: Unread = { unread: 'too-large' };

class BoundedDecoder {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #text = '';
  #length = 0;

  /** False for more than is read. */
  take(piece: Uint8Array): boolean {
    this.#length += piece.length;
    if (this.#length > largestBody) return false;
    this.#text += this.#decoder.decode(piece, { stream: true });
    return true;
  }

  end(): string {
    return this.#text + this.#decoder.decode();
  }
}
