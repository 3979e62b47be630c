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
  const headers = { 'content-type': 'application/json', ...extra };
  return fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
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

/** A request that a server accepts. */
interface Accepted {
  readonly server: ModelServer;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly request: Json;
}

/** How the error begins, and the change of the request for which it is given; with another status than 400. */
type Refused = [words: string, change: (body: Json) => void, status?: number];

interface Refusals {
  /** What is in every refusal. */
  readonly error: Json;
  /** Values that its shape does not allow at a place, and what is said of it. */
  readonly misfits: readonly [place: string, value: unknown, problem: string][];
  readonly misfitWords: (place: string, problem: string) => string;
  readonly refused: readonly Refused[];
}

/** Tests which changes of a request are refused in the provider's words. */
export function testRefusals(
  accepted: () => Accepted,
  { error, misfits, misfitWords, refused }: Refusals,
): void {
  const values = misfits.map(
    ([place, value, problem]): Refused => [misfitWords(place, problem), set(place, value)],
  );
  test.each([...values, ...refused])('refuses a request: %s', async (words, change, status = 400) => {
    const { server, path, headers, request } = accepted();
    const answer = await answerTo(server, path, changed(request, change), headers);
    const message = String(answer.json.error?.message ?? answer.json.error ?? answer.json.message);
    expect(message.slice(0, words.length)).toBe(words);
    expect(answer).toMatchObject({ status, json: error });
    expect(server.requests.at(-1)?.outcome).toBe('invalid');
  });
}

/** Tests which changes of a request are accepted as well. */
export function testAcceptances(
  accepted: () => Accepted,
  changes: readonly [form: string, change: (body: Json) => void][],
): void {
  const same = () => {};
  const whole = ['the conversation that the refused ones are made of', same] as const;
  test.each([whole, ...changes])('accepts %s', async (_form, change) => {
    const { server, path, headers, request } = accepted();
    const { status, json } = await answerTo(server, path, changed(request, change), headers);
    expect({ status, error: json.error }).toEqual({ status: 200, error: undefined });
  });
}
