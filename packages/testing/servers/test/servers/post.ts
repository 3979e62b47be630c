import type { ModelServer } from '@ctx/servers';

// biome-ignore lint/suspicious/noExplicitAny: what a test sends and gets is JSON of any form
export type Json = any;

/** The headers that a provider wants. */
export const headers = {
  openai: { authorization: 'Bearer sk-test' },
  anthropic: { 'x-api-key': 'sk-test', 'anthropic-version': '2023-06-01' },
  gemini: { 'x-goog-api-key': 'test' },
};

/** Sends a body as JSON. */
export function post(server: ModelServer, path: string, body: unknown, extra: Record<string, string>) {
  return fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...extra },
    body: JSON.stringify(body),
  });
}

/** Status and body of an answer. */
export async function answerTo(
  server: ModelServer,
  path: string,
  body: unknown,
  extra: Record<string, string>,
): Promise<{ status: number; json: Json }> {
  const response = await post(server, path, body, extra);
  return { status: response.status, json: await response.json() };
}

/** A copy of a value, changed. */
export function changed<T>(value: T, change: (copy: Json) => void): T {
  const copy = structuredClone(value);
  change(copy);
  return copy;
}

/** Sets the value at a place such as `messages[0].id`. */
export function set(place: string, value: unknown): (body: Json) => void {
  const keys = place.match(/\w+/g) ?? [];
  const last = keys.pop() ?? '';
  return (body) => {
    keys.reduce((inner, key) => inner[key], body)[last] = value;
  };
}
