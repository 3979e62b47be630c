const algorithm = 'AES-GCM';
/** Bytes; what AES-GCM asks for. */
const ivLength = 12;

/** A text that can be read only with a secret, packed and as base64. Nobody who does not have the secret can change it unnoticed. */
export async function seal(text: string, secret: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(ivLength));
  const bytes = await through(new CompressionStream('gzip'), new TextEncoder().encode(text));
  const packed = await crypto.subtle.encrypt({ name: algorithm, iv }, await keyOf(secret), bytes);
  const sealed = new Uint8Array(ivLength + packed.byteLength);
  sealed.set(iv);
  sealed.set(new Uint8Array(packed), ivLength);
  return toBase64(sealed);
}

/** The text of `seal`. Throws if it was another secret, or if somebody changed it. */
export async function unseal(sealed: string, secret: string): Promise<string> {
  const bytes = Uint8Array.from(atob(sealed), (one) => one.charCodeAt(0));
  const iv = bytes.subarray(0, ivLength);
  const key = await keyOf(secret);
  const packed = await crypto.subtle.decrypt({ name: algorithm, iv }, key, bytes.subarray(ivLength));
  return new TextDecoder().decode(await through(new DecompressionStream('gzip'), new Uint8Array(packed)));
}

async function through(stream: CompressionStream | DecompressionStream, bytes: Uint8Array<ArrayBuffer>) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

async function keyOf(secret: string) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret));
  return crypto.subtle.importKey('raw', digest, algorithm, false, ['encrypt', 'decrypt']);
}

/** Characters at once: a call takes so many arguments. */
const piece = 8_192;

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += piece)
    text += String.fromCharCode(...bytes.subarray(at, at + piece));
  return btoa(text);
}
