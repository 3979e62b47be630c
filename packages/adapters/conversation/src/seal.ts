import { fromBase64, gunzipped, gzipped, toBase64 } from './gzip.js';

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
