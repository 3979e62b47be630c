import {
  Conversations,
  type ConversationsOptions,
  type RequestOf,
  type Turn,
  Warnings,
} from '@ctx/conversation';
import type { Steps } from '@ctx/core';
import { type RunInSlices, slicer } from '@ctx/core/parts';
import { type ContextRequest, senderOf, serverOf, sessionOf } from './conversation-key.js';
import { HiddenStates } from './hidden/hidden-states.js';
import type { HiddenTool } from './hidden/hidden-tool.js';
import { type HiddenTurn, HiddenTurns } from './hidden/hidden-turns.js';
import { JsonSource } from './json-source.js';
import { endpointOf, isCompaction, type Purpose } from './request-purpose.js';
import { type FetchCall, headersOf, methodOf, signalOf, textOf, urlOf } from './request-text.js';
import { type Body, isOtherEndpoint, type WireForm, wireForms } from './wire-form.js';

/** Characters of a body that takes some ms to write. */
const longBody = 256 * 1024;

/** A request whose conversation is known. */
export interface Managed {
  readonly purpose: Purpose;
  readonly form: WireForm;
  readonly model: string | undefined;
  readonly source: JsonSource;
  readonly history: unknown;
  readonly turn: Turn<unknown>;
  /** How the conversation of the request is found. */
  readonly request: RequestOf;
  /** Missing where no hidden tool is offered. */
  readonly hidden: HiddenTurn | undefined;
}

/** What is to be sent. */
export interface Prepared {
  readonly managed: Managed;
  /** The body; `undefined` for the body as it came. */
  readonly text: string | undefined;
  /** True if nothing is different but a line with which a history begins that begins with an answer, as some providers want it. */
  readonly isOnlyLine: boolean;
}

/** Finds the conversations of requests, and says what to send in their place. None of its functions throws. */
export class ManagedRequests {
  readonly #warnings: Warnings;
  readonly #conversations: ReadonlyMap<WireForm, Conversations<unknown>>;
  readonly #tool: HiddenTurns | undefined;
  readonly #inSlices: RunInSlices;

  constructor(
    readonly keyOf: ((request: ContextRequest) => string | undefined) | undefined,
    options: ConversationsOptions,
    tool?: HiddenTool,
  ) {
    this.#warnings = new Warnings(options.onWarning);
    this.#tool = tool && new HiddenTurns(tool, this.#hiddenStates(options.states));
    this.#inSlices = slicer(options.reading ?? options.slices);
    this.#conversations = new Map(
      wireForms.map((form) => [form, new Conversations(form.codec, options, this.#warnings)]),
    );
  }

  #hiddenStates(states: ConversationsOptions['states']): HiddenStates {
    return new HiddenStates(states, (verb) =>
      this.#warnings.once('store-failed', `Calls of a hidden tool could not be ${verb} the store.`),
    );
  }

  async archived(): Promise<void> {
    await Promise.all([...this.#conversations.values()].map((one) => one.archived()));
  }

  /** The request and the body to send, `undefined` for the body as it came; `undefined` if the call is none of ours. */
  async prepare(call: FetchCall): Promise<Prepared | undefined> {
    try {
      const managed = await this.#managed(call);
      if (managed === undefined) return undefined;
      const native = await nativeOf(managed, signalOf(call));
      return { managed, ...(await this.#inSlices(written(managed, native))) };
    } catch (error) {
      this.#warnings.once('request-unmanaged', `A request went out as it came: ${nameOf(error)}`);
      return undefined;
    }
  }

  /** The same request with more entries at the end of its history. */
  async continued(call: FetchCall, managed: Managed, entries: readonly unknown[]): Promise<Prepared> {
    const { form, source, hidden, purpose, request } = managed;
    const list = [...(hidden?.list ?? []), ...entries];
    const history = form.read({ ...(source.value as Body), [form.list]: list });
    const turn = await this.#turn(form, history, purpose, request);
    const next = { ...managed, history, turn };
    return { managed: next, ...textWith(next, await nativeOf(next, signalOf(call))) };
  }

  /** The body to send after an overflow; `undefined` if there is no smaller one. */
  async recovered(call: FetchCall, managed: Managed, overflow: unknown): Promise<string | undefined> {
    try {
      const smaller = await managed.turn.recovered(overflow, { signal: signalOf(call) });
      return smaller === undefined ? undefined : (textWith(managed, smaller).text ?? managed.source.text);
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
    if (typeof body !== 'object' || body === null || form.read(body) === undefined) return undefined;
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
    const scope = `${senderOf(headers, url)}${named ?? sessionOf(headers, body) ?? ''}`;
    const hidden = canHide(url) ? await this.#hidden(form, body, purpose, scope) : undefined;
    const history = form.read({ ...body, [form.list]: hidden?.list ?? body[form.list] });
    const tools = hidden?.tools ?? body.tools;
    const request = {
      provider: form.provider,
      model,
      answerTokens: form.answerTokensOf?.(body),
      tools: body.instructions === undefined ? tools : [body.instructions, tools],
      server: serverOf(headers, url),
      scope,
      ...(named !== undefined && { key: named }),
    };
    const turn = await this.#turn(form, history, purpose, request);
    return { purpose, form, model, source, history, turn, request, hidden };
  }

  #turn(form: WireForm, history: unknown, purpose: Purpose, request: RequestOf): Promise<Turn<unknown>> {
    const conversations = this.#conversations.get(form) as Conversations<unknown>;
    return purpose === 'turn'
      ? conversations.turn(history, request)
      : conversations.beside(history, request, purpose === 'compaction');
  }

  /** The turn of the hidden tool; `undefined` where it is not offered. */
  async #hidden(
    form: WireForm,
    body: Body,
    purpose: Purpose,
    scope: string,
  ): Promise<HiddenTurn | undefined> {
    const list = body[form.list] as readonly unknown[];
    const said = `${form.provider} ${form.list} ${scope}`;
    return this.#tool?.begin({ purpose, list, tools: body.tools, scope: said }, form.answers);
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

/** `textWith` in a slice of its own, where it may take some ms. */
function* written(managed: Managed, native: unknown): Steps<Pick<Prepared, 'text' | 'isOnlyLine'>> {
  if (managed.source.text.length > longBody) yield;
  return textWith(managed, native);
}

/** The body with another history; its text is `undefined` if the history says nothing else. */
function textWith({ form, source, hidden }: Managed, native: unknown): Pick<Prepared, 'text' | 'isOnlyLine'> {
  const [before, after] = [form.write(form.read(source.value as Body)), form.write(native)];
  const changed = form.members.filter((key) => !isSame(before[key], after[key]));
  if (changed.length === 0 && hidden === undefined) return { text: undefined, isOnlyLine: false };
  const isOnlyLine = hidden === undefined && changed.every((key) => isOnlyLonger(before[key], after[key]));
  const members = Object.fromEntries(changed.map((key) => [key, after[key]]));
  const text = source.withMembers({ ...members, ...(hidden !== undefined && { tools: hidden.tools }) });
  return { text, isOnlyLine };
}

/** True for a list that begins with one entry more. */
function isOnlyLonger(before: unknown, after: unknown): boolean {
  return Array.isArray(after) && isSame(before, after.slice(1));
}

/** Some streams of Google are a list of JSON, in which nothing can be answered. */
function canHide({ pathname, searchParams }: URL): boolean {
  return !/:streamGenerateContent$/i.test(pathname) || searchParams.get('alt') === 'sse';
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
