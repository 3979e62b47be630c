import {
  Conversations,
  codeOf,
  compactsWarning,
  RecentMap,
  type RequestOf,
  refuseOptions,
  SealedStates,
  type Turn,
  Warnings,
} from '@ctx/conversation';
import { type ChatModel, slicer } from '@ctx/core';
import { isFields } from '@ctx/core/codec';
import { sessionOf } from './conversation-key.js';
import type { ContextFetchOptions } from './fetch-options.js';
import { canHide, HiddenTurns } from './hidden/hidden-turns.js';
import { JsonSource } from './json-source.js';
import { ManagedRequest, type RequestFacts } from './managed-request.js';
import { MessageThreads, refuseThreads } from './message-threads.js';
import { endpointOf, errandOf } from './request-purpose.js';
import { type FetchCall, headersOf, methodOf, signalOf, textOf, urlOf } from './request-text.js';
import { isSigned, Senders, signedRemedy } from './senders.js';
import { refuseSummarize, summaryModel } from './summary-model.js';
import {
  type Body,
  cacheOptionsIn,
  isOtherEndpoint,
  modelOf,
  outputTokensOf,
  type Purpose,
  toolsIn,
  type WireForm,
  wireForms,
} from './wire-form.js';

/** More than there are conversations in memory. */
const mostAskable = 1000;

/** Finds the conversations of requests, and says what to send in their place. None of its functions throws. */
export class RequestPreparer {
  readonly #warnings: Warnings;
  readonly #conversations: ReadonlyMap<WireForm, Conversations<unknown>>;
  readonly #tool: HiddenTurns | undefined;
  /** Missing where threads pass unchanged. */
  readonly threads: MessageThreads | undefined;
  readonly #inSlices: ReturnType<typeof slicer>;
  readonly #senders: Senders;
  readonly #keyOf: ContextFetchOptions['conversation'];
  readonly #summarize: ContextFetchOptions['summarize'];
  /** By conversation, the model as its newest request asks it: credentials change. */
  readonly #askable = new RecentMap<string, ChatModel>(mostAskable);

  /** @throws ConfigError as `createContextManager` */
  constructor(options: ContextFetchOptions) {
    refuseOptions(options, ['conversation', 'dryRun', 'hiddenTool', 'summarize', 'threads', 'send']);
    const { conversation, dryRun = false, hiddenTool, summarize, threads, send: _, ...rest } = options;
    refuseSummarize(summarize);
    refuseThreads(options);
    this.#keyOf = conversation;
    this.#summarize = dryRun ? undefined : summarize;
    this.#warnings = new Warnings(rest.onWarning);
    const kept = <Value>(kind: string, what: string) =>
      new SealedStates<Value>(kind, rest.states, (verb) =>
        this.#warnings.once('store-failed', `${what} could not be ${verb} the store.`, kind),
      );
    if (threads === 'replay' && !dryRun)
      this.threads = new MessageThreads(kept('thread', 'A message thread'), this.#warnings);
    if (hiddenTool !== undefined && !dryRun)
      this.#tool = new HiddenTurns(hiddenTool, kept('hidden', 'Calls of a hidden tool'));
    this.#senders = new Senders(kept('token', 'The account of a token'));
    this.#inSlices = slicer(rest.reading ?? rest.slices);
    this.#conversations = new Map(
      wireForms.map((form) => [form, new Conversations(form.codec, rest, this.#warnings)]),
    );
  }

  /** Waits until what was removed from the views is in the archive, or could not be put there. */
  async archived(): Promise<void> {
    await Promise.all([...this.#conversations.values()].map((one) => one.archived()));
  }

  /**
   * What to send in the place of a request; `undefined` if it is to be sent unchanged.
   * @param send sends what a model is asked besides, such as for a summary
   */
  async prepare(call: FetchCall, send: typeof fetch = fetch): Promise<ManagedRequest | undefined> {
    try {
      const facts = await this.#factsOf(call, send);
      return await (facts && this.#prepared(facts));
    } catch (error) {
      this.#warnings.once('request-unmanaged', `A request was sent unchanged: ${codeOf(error)}`);
      return undefined;
    }
  }

  /**
   * The same request with more entries at the end of its history.
   * @param isWithoutTool true to offer the hidden tool no longer: the model has called it too often
   */
  async continued(
    facts: RequestFacts,
    entries: readonly unknown[],
    isWithoutTool: boolean,
  ): Promise<ManagedRequest> {
    const { form, source, hidden, purpose } = facts;
    const list = [...(hidden?.list ?? []), ...entries];
    const history = form.read({ ...(source.value as Body), [form.list]: list });
    const turn = await this.#turn(form, history, purpose, facts.request);
    return this.#prepared({ ...facts, history, turn, isWithoutTool });
  }

  #prepared(facts: RequestFacts): Promise<ManagedRequest> {
    return new ManagedRequest(facts, this.#inSlices, this.#warnings).prepare();
  }

  async #factsOf(call: FetchCall, send: typeof fetch): Promise<RequestFacts | undefined> {
    if (methodOf(call) !== 'POST') return undefined;
    const url = urlOf(call);
    const endpoint = endpointOf(url);
    if (endpoint === undefined) return this.#passUnknown(url);
    const { form } = endpoint;
    const headers = headersOf(call);
    const came = await this.#sourceOf(call);
    if (came === undefined || !isFields(came.value)) return undefined;
    const sender = await this.#senders.of(headers, url, came.value);
    const thread =
      endpoint.purpose === 'turn' ? await this.threads?.requestOf(call, came, sender.key) : undefined;
    if (thread === 'unknown') return undefined;
    const source = thread?.whole ?? came;
    const body = source.value as Body;
    const obstacle = thread === undefined ? form.obstacle?.(body) : undefined;
    if (obstacle !== undefined) {
      this.#warnings.once(obstacle.code, obstacle.message);
      return undefined;
    }
    if (form.read(body) === undefined) return undefined;
    if (isSigned(headers)) return void this.#warnings.once('request-signed', signedRemedy);
    const errand = errandOf(endpoint.purpose, body, headers);
    const { purpose } = errand;
    if (errand.isWhole && purpose === 'turn')
      this.#warnings.once(compactsWarning.code, compactsWarning.message);
    const named = this.#keyOf?.({ url, headers, body });
    const model = modelOf(body, url);
    const limit = form.limitOf?.(body);
    const scope = `${limit ?? ''}${sender.key}${named ?? sessionOf(headers, body) ?? ''}`;
    const hidden =
      thread === undefined && canHide(url)
        ? await this.#tool?.begin(form, body, purpose === 'turn' && !errand.isWhole, scope)
        : undefined;
    const history = form.read(hidden === undefined ? body : { ...body, [form.list]: hidden.list });
    const tools = hidden?.tools ?? toolsIn(body);
    const request = {
      provider: form.provider,
      model,
      limit,
      answerTokens: form.isAnswerInWindow ? outputTokensOf(body) : undefined,
      options: cacheOptionsIn(body),
      tools: body.instructions === undefined ? tools : [body.instructions, tools ?? []],
      // What is tried out may have another window.
      server: JSON.stringify([sender.key, headers.get('anthropic-beta') ?? '']),
      scope,
      sender: sender.key,
      canRecall: this.#tool === undefined || hidden !== undefined,
      ...(named !== undefined && { key: named }),
      summarize:
        purpose === 'turn'
          ? this.#summaryModel(scope, { call, form, body, model, history, send })
          : undefined,
    };
    const turn = await this.#turn(form, history, purpose, request);
    const signal = signalOf(call);
    return { ...errand, form, model, source, history, turn, request, sender, hidden, signal, thread };
  }

  /** Who summarises; a model is asked as in the newest request of the same sender. */
  #summaryModel(scope: string, request: Parameters<typeof summaryModel>[1]): RequestOf['summarize'] {
    const given = this.#summarize;
    if (given === undefined || given === false) return undefined;
    if (typeof given === 'function') return given;
    const key = `${request.form.list} ${request.model} ${scope}`;
    const model = summaryModel(given, request);
    this.#askable.set(key, model);
    return { ...model, complete: (asked) => (this.#askable.get(key) ?? model).complete(asked) };
  }

  #turn(form: WireForm, history: unknown, purpose: Purpose, request: RequestOf): Promise<Turn<unknown>> {
    const conversations = this.#conversations.get(form) as Conversations<unknown>;
    return purpose === 'turn'
      ? conversations.turn(history, request)
      : conversations.sideTurn(history, request, purpose === 'compaction');
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
    // Some put a byte order mark before their JSON.
    if (typeof text === 'string') return new JsonSource(text.replace(/^\ufeff/, ''));
    const { unread, what = 'its body' } = text;
    if (unread !== 'no-body')
      this.#warnings.once(`body-${unread}`, `A request passes unchanged: ${what} cannot be read`, what);
    return undefined;
  }
}
