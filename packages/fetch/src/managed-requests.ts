import { Conversations, type ConversationsOptions, type Turn, Warnings } from '@ctx/conversation';
import { type ContextRequest, senderOf, serverOf, sessionOf } from './conversation-key.js';
import { JsonSource } from './json-source.js';
import { endpointOf, isCompaction, type Purpose } from './request-purpose.js';
import { type FetchCall, headersOf, methodOf, signalOf, textOf, urlOf } from './request-text.js';
import { type Body, isOtherEndpoint, type WireForm, wireForms } from './wire-form.js';

/** A request whose conversation is known. */
export interface Managed {
  readonly purpose: Purpose;
  readonly form: WireForm;
  readonly model: string | undefined;
  readonly source: JsonSource;
  readonly history: unknown;
  readonly turn: Turn<unknown>;
}

/** Finds the conversations of requests, and says what to send in their place. None of its functions throws. */
export class ManagedRequests {
  readonly #warnings: Warnings;
  readonly #conversations: ReadonlyMap<WireForm, Conversations<unknown>>;

  constructor(
    readonly keyOf: ((request: ContextRequest) => string | undefined) | undefined,
    options: ConversationsOptions,
  ) {
    this.#warnings = new Warnings(options.onWarning);
    this.#conversations = new Map(
      wireForms.map((form) => [form, new Conversations(form.codec, options, this.#warnings)]),
    );
  }

  /** The request and the body to send, `undefined` for the body as it came; `undefined` if the call is none of ours. */
  async prepare(
    call: FetchCall,
  ): Promise<{ readonly managed: Managed; readonly text: string | undefined } | undefined> {
    try {
      const managed = await this.#managed(call);
      if (managed === undefined) return undefined;
      return { managed, text: textWith(managed, await nativeOf(managed, signalOf(call))) };
    } catch (error) {
      this.#warnings.once('request-unmanaged', `A request went out as it came: ${nameOf(error)}`);
      return undefined;
    }
  }

  /** The body to send after an overflow; `undefined` if there is no smaller one. */
  async recovered(call: FetchCall, managed: Managed, overflow: unknown): Promise<string | undefined> {
    try {
      const smaller = await managed.turn.recovered(overflow, { signal: signalOf(call) });
      return smaller === undefined ? undefined : (textWith(managed, smaller) ?? managed.source.text);
    } catch (error) {
      this.#warnings.once('recover-failed', `An overflow was not recovered: ${nameOf(error)}`);
      return undefined;
    }
  }

  async #managed(call: FetchCall): Promise<Managed | undefined> {
    if (methodOf(call) !== 'POST') return undefined;
    const url = urlOf(call);
    const endpoint = endpointOf(url, wireForms);
    if (endpoint === undefined) return this.#passUnknown(url);
    const { form } = endpoint;
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
    const purpose =
      endpoint.purpose === 'turn' && isCompaction(body, headers) ? 'compaction' : endpoint.purpose;
    const named = this.keyOf?.({ url, headers, body });
    const model = form.modelOf(body, url);
    const request = {
      provider: form.provider,
      model,
      answerTokens: form.answerTokensOf?.(body),
      tools: body.instructions === undefined ? body.tools : [body.instructions, body.tools],
      server: serverOf(headers, url),
      scope: `${senderOf(headers, url)}${named ?? sessionOf(headers, body) ?? ''}`,
      ...(named !== undefined && { key: named }),
    };
    const conversations = this.#conversations.get(form) as Conversations<unknown>;
    const turn =
      purpose === 'turn'
        ? await conversations.turn(history, request)
        : await conversations.beside(history, request, purpose === 'compaction');
    return { purpose, form, model, source, history, turn };
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

/** A summary that the agent asks for is written from everything that was said, if that fits. */
async function nativeOf({ purpose, turn, history }: Managed, signal: AbortSignal | undefined) {
  return purpose === 'compaction' && turn.conversation.fits ? history : turn.prepare({ signal });
}

/** The body with another history; `undefined` if the history says nothing else. */
function textWith({ form, source, history }: Managed, native: unknown): string | undefined {
  const [before, after] = [form.write(history), form.write(native)];
  const changed = form.members.filter((key) => !isSame(before[key], after[key]));
  if (changed.length === 0) return undefined;
  return source.withMembers(Object.fromEntries(changed.map((key) => [key, after[key]])));
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
