import { type ChatMessage, openaiCodec } from '@ctx/codec-openai';
import type { Message } from '@ctx/core';
import { CachedCost } from '../cached-cost.js';
import type { CountTokens } from '../count-tokens.js';
import { remembered } from '../remembered.js';
import { ScriptedModel } from './scripted-model.js';
import { shownMessage, shownRequest } from './shown-request.js';

/** A request of Chat Completions, as far as it is used here. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly unknown[];
}

/** The number of requests in which something is missing that the user has said. */
export interface Lacks {
  task: number;
  rules: number;
  rulesFile: number;
}

export const endpoint = 'https://api.openai.com/v1/chat/completions';

/**
 * Speaks Chat Completions in this process: refuses what the provider would refuse, also what is over the window, and lets a scripted model
 * answer the rest. Counts what it answered.
 */
export class StrictServer {
  /** Requests that were answered. */
  requests = 0;
  /** Requests that were refused, and why. */
  readonly refused: string[] = [];
  /** Tokens of all answered requests, of the first, and of the largest. */
  tokens = 0;
  first = 0;
  largest = 0;
  /** What the user has said that the model needs in each request, and in how many requests some of it was missing. */
  needed: Readonly<Record<keyof Lacks, readonly string[]>> = { task: [], rules: [], rulesFile: [] };
  readonly lacks: Lacks = { task: 0, rules: 0, rulesFile: 0 };
  readonly #model = new ScriptedModel();
  /** The same object for the same text, so that the beginnings of two requests are compared fast. */
  readonly #segment = remembered((content: string): Message => ({ role: 'user', content }), new Map());
  readonly #tokens = new Map<string, number>();
  readonly #cost: CachedCost;
  #calls = 0;

  /** @param window tokens of the largest request that is answered, with its tools */
  constructor(
    readonly tokensOf: CountTokens,
    readonly window = Number.POSITIVE_INFINITY,
  ) {
    this.#cost = new CachedCost((segment) => this.#tokens.get(String(segment.content)) ?? 0);
  }

  /** Price of all requests with a prompt cache, in tokens at full price. */
  get cost(): number {
    return this.#cost.total;
  }

  /** Answers a request as `fetch` would. */
  readonly fetch: typeof fetch = async (_input, init) => {
    const request = JSON.parse(String(init?.body)) as ChatRequest;
    const [broken] = openaiCodec.validate(request.messages);
    if (broken !== undefined)
      return this.#refuse('invalid_request_error', `${broken.rule}: ${broken.detail}`);
    const texts = [JSON.stringify(request.tools), ...request.messages.map((one) => JSON.stringify(one))];
    const tokens = this.#counted(request, texts);
    if (tokens > this.window)
      return this.#refuse(
        'context_length_exceeded',
        `This model's maximum context length is ${this.window} tokens. However, your messages resulted in ${tokens} tokens.`,
      );
    this.requests += 1;
    if (this.requests === 1) this.first = tokens;
    this.tokens += tokens;
    this.largest = Math.max(this.largest, tokens);
    this.#cost.add(texts.map((text) => this.#segment(text)));
    return Response.json(this.#answer(request, tokens));
  };

  #counted({ messages }: ChatRequest, texts: readonly string[]): number {
    const [tools = '', ...others] = texts;
    let sum = this.#count(tools, () => tools);
    for (const [at, text] of others.entries())
      sum += this.#count(text, () => shownMessage(messages[at] as ChatMessage));
    return sum;
  }

  #count(key: string, textOf: () => string): number {
    const known = this.#tokens.get(key);
    if (known !== undefined) return known;
    const tokens = this.tokensOf.text(textOf());
    this.#tokens.set(key, tokens);
    return tokens;
  }

  #answer({ model, messages }: ChatRequest, tokens: number): Readonly<Record<string, unknown>> {
    const shown = shownRequest(messages);
    for (const what of Object.keys(this.lacks) as (keyof Lacks)[])
      if (this.needed[what].some((said) => !shown.text.includes(said))) this.lacks[what] += 1;
    const { text, calls } = this.#model.answer(shown);
    const tool_calls = calls.map(({ name, input }) => {
      this.#calls += 1;
      return {
        id: `call_${this.#calls}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(input) },
      };
    });
    const message = {
      role: 'assistant',
      content: text,
      refusal: null,
      ...(tool_calls.length > 0 && { tool_calls }),
    };
    const output = this.tokensOf.text(text);
    return {
      id: `chatcmpl_${this.requests}`,
      object: 'chat.completion',
      model,
      choices: [{ index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }],
      usage: { prompt_tokens: tokens, completion_tokens: output, total_tokens: tokens + output },
    };
  }

  #refuse(code: string, message: string): Response {
    this.refused.push(message);
    return Response.json({ error: { message, type: 'invalid_request_error', code } }, { status: 400 });
  }
}
