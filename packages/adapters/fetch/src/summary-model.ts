import { reportedUsage, windowOf } from '@ctx/conversation';
import { type ChatModel, ConfigError, messageText } from '@ctx/core';
import { stopReasonsOf } from './answer-overflow.js';
import { anthropicAnswers } from './hidden/anthropic-answers.js';
import { googleAnswers } from './hidden/google-answers.js';
import { type FetchCall, headersOf, urlOf } from './request-text.js';
import type { Body, WireForm } from './wire-form.js';

/**
 * Who summarises: `false` for nobody, `true` for the model, endpoint and key of the request that is compressed, the name of another model there, or a function that
 * asks whatever it likes.
 */
export type SummarizeOption =
  | boolean
  | (string & {})
  | ((
      prompt: string,
      options: { readonly maxTokens: number; readonly signal: AbortSignal },
    ) => Promise<string>);

/** @throws ConfigError `config-invalid` for what names nobody */
export function refuseSummarize(value: unknown): void {
  if (value === undefined || typeof value === 'boolean' || typeof value === 'function') return;
  if (typeof value === 'string' && value.trim() !== '') return;
  throw new ConfigError({
    code: 'config-invalid',
    problem: 'This names no model that could summarise',
    place: 'summarize',
    value,
    remedy: "Give true, the name of a model such as 'gpt-5-mini', or a function (prompt) => Promise<string>.",
  });
}

interface SummaryRequest {
  readonly call: FetchCall;
  readonly form: WireForm;
  readonly body: Body;
  readonly model: string | undefined;
  /** The conversation in the request. */
  readonly history: unknown;
  readonly send: typeof fetch;
}

/** Room for the answer above what it should have, where an API demands a limit: tokens are counted differently there. */
const spareTokens = 1.3;
/** Headers that are about one message or connection. */
const ofOneMessage = [
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'accept',
  'accept-encoding',
  'connection',
  'host',
];
/** Fields of a request that one for a summary needs too. */
const sameFields = ['model', 'store', 'options', 'instructions', 'anthropic_version', 'anthropic_beta'];

/**
 * The model that a request asks, or another one at the same endpoint, as one that summarises. It is asked with the system prompt of the request:
 * some endpoints take no other. The rest of the conversation is not kept.
 */
export function summaryModel(given: true | string, request: SummaryRequest): ChatModel {
  const { call, form, history, send } = request;
  const model = given === true ? request.model : given;
  const { provider } = form;
  const url = urlFor(request, given);
  const { body: _, signal: _s, ...init } = call.init ?? {};
  const headers = new Headers(headersOf(call));
  for (const name of ofOneMessage) headers.delete(name);
  headers.set('content-type', 'application/json');
  const fields = fieldsOf(request, given);
  const systems = form.codec.toMessages(history).filter(({ role }) => role === 'system');
  return {
    name: model ?? provider,
    ...(given !== true && { contextWindow: windowOf({ provider, model }) }),
    async complete({ system, user, maxTokens, signal }) {
      const said = form.codec.fromMessages([...systems, { role: 'user', content: `${system}\n\n${user}` }]);
      const limit = form.answers === anthropicAnswers && { max_tokens: Math.ceil(maxTokens * spareTokens) };
      const body = JSON.stringify({ ...fields, ...limit, ...form.write(said) });
      const response = await send(url, { ...init, method: 'POST', headers, body, signal });
      if (!response.ok) {
        void response.body?.cancel().catch(() => {});
        throw new Error(`the provider answered ${response.status}`);
      }
      const answer = (await response.json()) as Body;
      const usage = reportedUsage(answer);
      return {
        text: textIn(answer, form),
        stopReason: stopReasonIn(answer),
        ...(usage && { usage: { inputTokens: usage.inputTokens, outputTokens: 0 } }),
      };
    },
  };
}

/** The same endpoint for a whole answer, not a stream. */
function urlFor({ call, form, body, model }: SummaryRequest, given: true | string): string {
  const url = urlOf(call);
  const path = url.pathname
    .replace(/:stream([GR])/i, (_, first: string) => `:${first.toLowerCase()}`)
    .replace(/(?:-with-response)?-stream$/, '');
  const isInPath = given !== true && body.model === undefined && model !== undefined;
  url.pathname = isInPath ? path.replace(/(\/models?\/)[^/:]+/, `$1${encodeURIComponent(given)}`) : path;
  if (form.answers === googleAnswers) url.searchParams.delete('alt');
  return url.href;
}

function fieldsOf({ form, body }: SummaryRequest, given: true | string): Body {
  const same = Object.fromEntries(sameFields.flatMap((key) => (key in body ? [[key, body[key]]] : [])));
  return {
    ...same,
    ...(given !== true && 'model' in body && { model: given }),
    // The only one that streams unless told otherwise.
    ...(form.provider === 'ollama' && { stream: false }),
  };
}

/** What the model says in a whole answer. */
function textIn(answer: Body, form: WireForm): string {
  const { message, output } = answer as { message?: unknown; output?: { message?: unknown } };
  const entries = form.answers === undefined ? [output?.message ?? message] : form.answers.read(answer);
  const native = form.read({ ...answer, anthropic_version: '', [form.list]: entries });
  if (native === undefined) return '';
  return form.codec.toMessages(native).map(messageText).join('\n').trim();
}

function stopReasonIn(answer: Body): 'stop' | 'length' | 'refusal' {
  const reasons = stopReasonsOf(answer).map(String);
  if (reasons.some((reason) => /length|max_?(?:output_)?tokens|context_window/i.test(reason)))
    return 'length';
  return reasons.some((reason) => /refusal|filter|safety|prohibited|intervened/i.test(reason))
    ? 'refusal'
    : 'stop';
}
