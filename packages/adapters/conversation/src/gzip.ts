/** A text, compressed. */
export const gzipped = (text: string) =>
  through(new CompressionStream('gzip'), new TextEncoder().encode(text));

/** The text of `gzipped`. Throws for other bytes. */
export async function gunzipped(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new TextDecoder().decode(await through(new DecompressionStream('gzip'), bytes));
}

async function through(stream: CompressionStream | DecompressionStream, bytes: Uint8Array<ArrayBuffer>) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** Characters at once: a call takes so many arguments. */
const piece = 8_192;

export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += piece)
    text += String.fromCharCode(...bytes.subarray(at, at + piece));
  return btoa(text);
}

export const fromBase64 = (text: string) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
