import {
  Conversations,
  type ConversationsOptions,
  refuseOptions,
  type Turn,
  Warnings,
} from '@ctx/conversation';
import { senderOf, sessionOf } from './conversation-key.js';
import { JsonSource } from './json-source.js';
import { type FetchCall, headersOf, methodOf, signalOf, textOf, urlOf, withText } from './request-text.js';
import { watched } from './watched-answer.js';
import { type Body, isOtherEndpoint, type WireForm, wireForms } from './wire-form.js';

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
 * @throws ConfigError as `createContextManager`; the function itself throws what `send` throws
 */
export function contextFetch(options: ContextFetchOptions = {}): typeof fetch {
  refuseOptions(options, ['conversation', 'send']);
  const { conversation: keyOf, send = (input, init) => fetch(input, init), ...rest } = options;
  const requests = new ManagedRequests(keyOf, rest);
  return async (input, init) => {
    const call: FetchCall = { input, init };
    const managed = await requests.prepare(call);
    if (managed === undefined) return send(input, init);
    let { next } = managed;
    for (;;) {
      const response = await send(next.input, next.init);
      const answer = await watched(response, (value) => void managed.turn.answered(value));
      if (!('overflow' in answer)) return answer.response;
      const smaller = await requests.recovered(call, managed, answer.overflow);
      if (smaller === undefined) return answer.response;
      // Nobody will read it; its connection is free again.
      answer.response.body?.cancel().catch(() => {});
      next = smaller;
    }
  };
}

/** Finds the conversations of requests. */
class ManagedRequests {
  readonly #warnings: Warnings;
  readonly #conversations: ReadonlyMap<WireForm, Conversations<unknown>>;

  constructor(
    readonly keyOf: ContextFetchOptions['conversation'],
    options: ConversationsOptions,
  ) {
    this.#warnings = new Warnings(options.onWarning);
    this.#conversations = new Map(
      wireForms.map((form) => [form, new Conversations(form.codec, options, this.#warnings)]),
    );
  }

  /** The request to send for a call; `undefined` if the call is to go out as it came. Never throws. */
  async prepare(call: FetchCall): Promise<(Managed & { readonly next: FetchCall }) | undefined> {
    try {
      const managed = await this.#managed(call);
      if (managed === undefined) return undefined;
      const native = await managed.turn.prepare({ signal: signalOf(call) });
      return { ...managed, next: withHistory(call, managed, native) };
    } catch (error) {
      this.#warnings.once('request-unmanaged', `A request went out as it came: ${nameOf(error)}`);
      return undefined;
    }
  }

  /** The request to send after an overflow; `undefined` if there is no smaller one. Never throws. */
  async recovered(call: FetchCall, managed: Managed, overflow: unknown): Promise<FetchCall | undefined> {
    try {
      const smaller = await managed.turn.recovered(overflow, { signal: signalOf(call) });
      return smaller === undefined ? undefined : withHistory(call, managed, smaller);
    } catch (error) {
      this.#warnings.once('recover-failed', `An overflow was not recovered: ${nameOf(error)}`);
      return undefined;
    }
  }

  async #managed(call: FetchCall): Promise<Managed | undefined> {
    if (methodOf(call) !== 'POST') return undefined;
    const url = urlOf(call);
    const form = wireForms.find(({ path }) => path.test(url.pathname));
    if (form === undefined) return this.#passUnknown(url);
    const source = await this.#sourceOf(call);
    if (source === undefined) return undefined;
    const body = source.value as Body;
    const history = typeof body === 'object' && body !== null ? form.read(body) : undefined;
    if (history === undefined) return undefined;
    const obstacle = form.obstacle?.(body);
    if (obstacle !== undefined) {
      this.#warnings.once('conversation-stored', obstacle);
      return undefined;
    }
    const headers = headersOf(call);
    const named = this.keyOf?.({ url, headers, body });
    const turn = await (this.#conversations.get(form) as Conversations<unknown>).turn(history, {
      provider: form.provider,
      model: form.modelOf(body, url),
      tools: body.instructions === undefined ? body.tools : [body.instructions, body.tools],
      scope: `${senderOf(headers, url)}${named ?? sessionOf(headers, body) ?? ''}`,
      ...(named !== undefined && { key: named }),
    });
    return { form, source, history, turn };
  }

  #passUnknown(url: URL): undefined {
    const path = url.pathname.slice(0, 100);
    if (!isOtherEndpoint(url))
      this.#warnings.once(
        'endpoint-unknown',
        `Requests to ${path} pass unchanged: ctx does not know this endpoint`,
        path,
      );
  }

  async #sourceOf(call: FetchCall): Promise<JsonSource | undefined> {
    const text = await textOf(call);
    if (typeof text === 'string') return new JsonSource(text);
    if (text.unread !== 'no-body')
      this.#warnings.once(`body-${text.unread}`, 'A request passes unchanged: its body can not be read');
    return undefined;
  }
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
