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
