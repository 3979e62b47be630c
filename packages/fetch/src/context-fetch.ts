import { Conversations, type ConversationsOptions, type Turn, Warnings } from '@ctx/conversation';
import { senderOf, sessionOf } from './conversation-key.js';
import { JsonSource } from './json-source.js';
import { type FetchCall, headersOf, methodOf, signalOf, textOf, urlOf, withText } from './request-text.js';
import { watched } from './watched-answer.js';
import { type Body, otherEndpoints, type WireForm, wireForms } from './wire-form.js';

/** A request, for those who know which conversation it belongs to. */
export interface ContextRequest {
  readonly url: URL;
  readonly headers: Headers;
  /** The parsed body; not to be changed. */
  readonly body: Body;
}

export interface ContextFetchOptions extends ConversationsOptions {
  /**
   * The key of the conversation that a request belongs to.
   * @default a session that the request names in a header or field, and the longest history that it has in common with a known conversation
   */
  readonly conversation?: ((request: ContextRequest) => string | undefined) | undefined;
  /** Sends the requests. @default the global `fetch` */
  readonly send?: typeof fetch | undefined;
}

/**
 * A `fetch` for the SDKs of OpenAI, Anthropic and Google, the AI SDK and LangChain, which keeps each conversation that passes through it
 * inside the window of its model, and sends a smaller one if the provider says that it was too large. Whatever ctx does not understand, or
 * fails to do, goes out as it came.
 * @throws what `send` throws
 */
export function contextFetch(options: ContextFetchOptions = {}): typeof fetch {
  const { conversation: keyOf, send = (input, init) => fetch(input, init), ...rest } = options;
  const warnings = new Warnings(rest.onWarning);
  const conversations = new Map<WireForm, Conversations<unknown>>(
    wireForms.map((form) => [form, new Conversations(form.codec, rest, warnings)]),
  );

  /** The turn that a call asks for; `undefined` if it is none of ours. */
  async function managed(call: FetchCall): Promise<Managed | undefined> {
    if (methodOf(call) !== 'POST') return undefined;
    const url = urlOf(call);
    const form = wireForms.find(({ path }) => path.test(url.pathname));
    if (form === undefined) {
      if (!otherEndpoints.test(url.pathname))
        warnings.once(
          'endpoint-unknown',
          `Requests to ${url.pathname.slice(0, 100)} pass unchanged: ctx does not know this endpoint`,
          url.pathname,
        );
      return undefined;
    }
    const text = await textOf(call);
    if (text === 'too-large' || text === 'unknown-form' || text === 'no-body') {
      if (text !== 'no-body')
        warnings.once(`body-${text}`, 'A request passes unchanged: its body can not be read');
      return undefined;
    }
    const source = new JsonSource(text);
    const body = source.value as Body;
    const obstacle = form.obstacle?.(body);
    if (obstacle !== undefined) {
      warnings.once('conversation-stored', obstacle);
      return undefined;
    }
    const history = typeof body === 'object' && body !== null ? form.read(body) : undefined;
    if (history === undefined) return undefined;
    const headers = headersOf(call);
    const named = keyOf?.({ url, headers, body });
    const turn = await (conversations.get(form) as Conversations<unknown>).turn(history, {
      provider: form.provider,
      model: form.modelOf(body, url),
      tools: body.tools,
      scope: `${senderOf(headers, url)}${named ?? sessionOf(headers, body) ?? ''}`,
      ...(named !== undefined && { key: named }),
    });
    return { form, source, history, turn };
  }

  return async (input, init) => {
    const call: FetchCall = { input, init };
    const signal = signalOf(call);
    let ours: Managed | undefined;
    let next = call;
    try {
      ours = await managed(call);
      if (ours !== undefined) next = withHistory(call, ours, await ours.turn.prepare({ signal }));
    } catch (error) {
      warnings.once('request-unmanaged', `A request went out as it came: ${nameOf(error)}`);
      ours = undefined;
      next = call;
    }
    if (ours === undefined) return send(input, init);
    const { turn } = ours;
    for (;;) {
      const response = await send(next.input, next.init);
      const answer = await watched(response, (value) => void turn.answered(value));
      if (!('overflow' in answer)) return answer.response;
      const smaller = await turn.recovered(answer.overflow, { signal });
      if (smaller === undefined) return answer.response;
      next = withHistory(call, ours, smaller);
    }
  };
}

interface Managed {
  readonly form: WireForm;
  readonly source: JsonSource;
  readonly history: unknown;
  readonly turn: Turn<unknown>;
}

/** The call with another history; the very same call if the history says nothing else. */
function withHistory(call: FetchCall, { form, source, history }: Managed, native: unknown): FetchCall {
  const [before, after] = [form.write(history), form.write(native)];
  const changed = form.members.filter((key) => !isSame(before[key], after[key]));
  if (changed.length === 0) return call;
  return withText(call, source.withMembers(Object.fromEntries(changed.map((key) => [key, after[key]]))));
}

/** True for the same value, and for a list of the same objects. */
function isSame(before: unknown, after: unknown): boolean {
  if (before === after) return true;
  if (!Array.isArray(before) || !Array.isArray(after)) return false;
  return before.length === after.length && before.every((one, index) => one === after[index]);
}

/** What may be told of an error: nothing that was said. */
function nameOf(error: unknown): string {
  const { code, name } =
    typeof error === 'object' && error !== null ? (error as { code?: unknown; name?: unknown }) : {};
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown error';
}
