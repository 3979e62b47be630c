const algorithm = 'AES-GCM';
/** Bytes; what AES-GCM asks for. */
const ivLength = 12;

/** A text that can be read only with a secret, compressed and as base64. Nobody who does not have the secret can change it unnoticed. */
export async function seal(text: string, secret: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(ivLength));
  const encrypted = await crypto.subtle.encrypt(
    { name: algorithm, iv },
    await keyOf(secret),
    await gzipped(text),
  );
  const sealed = new Uint8Array(ivLength + encrypted.byteLength);
  sealed.set(iv);
  sealed.set(new Uint8Array(encrypted), ivLength);
  return toBase64(sealed);
}

/** The text of `seal`. Throws if it was another secret, or if somebody changed it. */
export async function unseal(sealed: string, secret: string): Promise<string> {
  const bytes = fromBase64(sealed);
  const iv = bytes.subarray(0, ivLength);
  const key = await keyOf(secret);
  const compressed = await crypto.subtle.decrypt({ name: algorithm, iv }, key, bytes.subarray(ivLength));
  return gunzipped(new Uint8Array(compressed));
}

async function keyOf(secret: string) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret));
  return crypto.subtle.importKey('raw', digest, algorithm, false, ['encrypt', 'decrypt']);
}

const gzipped = (text: string) => through(new CompressionStream('gzip'), new TextEncoder().encode(text));

async function gunzipped(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new TextDecoder().decode(await through(new DecompressionStream('gzip'), bytes));
}

async function through(stream: CompressionStream | DecompressionStream, bytes: Uint8Array<ArrayBuffer>) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** Characters at once: a call takes so many arguments. */
const piece = 8_192;

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += piece)
    text += String.fromCharCode(...bytes.subarray(at, at + piece));
  return btoa(text);
}

const fromBase64 = (text: string) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));

type Crypto = typeof import('node:crypto');

/** The SHA-256 of a text, in hexadecimal. */
export async function digest(text: string): Promise<string> {
  // At once where Node has it: the standard way waits for another thread, with each request.
  const own = nodesOwn();
  if (own !== undefined) return own.createHash('sha256').update(text).digest('hex');
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function nodesOwn(): Crypto | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  return process?.getBuiltinModule?.('node:crypto') as Crypto | undefined;
}
