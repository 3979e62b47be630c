import { memoryArchive } from '@ctx/archive';
import { type ChatMessage, openaiCodec } from '@ctx/codec-openai';
import type { ContextManager, Message } from '@ctx/core';
import { type ContextFetchOptions, contextFetch } from '@ctx/fetch';
import { recallTool } from '@ctx/recall';
import type { Candidate } from '../candidates/candidate.js';
import { shortArrivals } from '../candidates/ctx.js';
import type { CountTokens } from '../count-tokens.js';
import { remembered } from '../remembered.js';
import { shownMessage } from './shown-request.js';
import { type ChatRequest, endpoint } from './strict-server.js';

/** Stands between an agent and its model, and keeps the conversation inside the window. */
export interface Holder {
  readonly name: string;
  readonly kind: Candidate['kind'];
  /** What sends the requests of one conversation. */
  open(task: HolderTask): (request: ChatRequest) => Promise<Response>;
}

interface HolderTask {
  /** Sends a request to the model. */
  readonly send: typeof fetch;
  /** Tokens of a request, with its tools. */
  readonly window: number;
  readonly tokensOf: CountTokens;
}

const posted = (send: typeof fetch) => (request: ChatRequest) =>
  send(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-none' },
    body: JSON.stringify(request),
  });

/** Nobody: the agent sends everything. */
export const nobody: Holder = {
  name: 'without a limit',
  kind: 'control',
  open: ({ send }) => posted(send),
};

/** `contextFetch()` as the README shows it, with nothing set but the window. */
export const ours: Holder = fetching('default pipeline', () => ({}));

/** The same with results shortened when they arrive, and a recall with which the model reads what they lack. */
export const arriving: Holder = fetching('default pipeline, arrivals', () => ({
  config: { arrivals: shortArrivals },
  archive: () => memoryArchive(),
  hiddenTool: recallTool<ContextManager>(async (manager) => {
    await manager.archived();
    return manager;
  }),
}));

function fetching(name: string, options: () => ContextFetchOptions): Holder {
  return {
    name,
    kind: 'ctx',
    open({ send, window }) {
      const { config, ...others } = options();
      const own = { ...config, contextWindow: window };
      return posted(contextFetch({ ...others, send, config: own, onWarning: () => undefined }));
    },
  };
}

/** Counts a message as the server counts it, so that no candidate is refused for an error of its counter. */
function countedAsSent(tokensOf: CountTokens): CountTokens {
  const count = remembered((message: Message) => {
    const sent = openaiCodec.fromMessages([message]);
    return sent.reduce((sum, one) => sum + tokensOf.text(shownMessage(one)), 0);
  }, new WeakMap());
  return Object.assign(count, { text: tokensOf.text });
}

/** A candidate in our place: it is given each message once, and its view is sent. Its limit is the window without the tools. */
export function holderOf(candidate: Candidate): Holder | undefined {
  if (candidate.replay === undefined || candidate.kind === 'control') return undefined;
  return {
    name: candidate.name,
    kind: candidate.kind,
    open({ send, window, tokensOf }) {
      let follower: ReturnType<NonNullable<Candidate['replay']>> | undefined;
      const given: ChatMessage[] = [];
      const counted = countedAsSent(tokensOf);
      return async (request) => {
        const limit = window - tokensOf.text(JSON.stringify(request.tools));
        follower ??= candidate.replay?.({ model: { model: request.model }, limit, tokensOf: counted });
        const fresh = request.messages.slice(given.length);
        given.push(...fresh);
        const known = openaiCodec.toMessages(given);
        for (const message of known.slice(known.length - fresh.length)) follower?.append(message);
        const messages = openaiCodec.fromMessages((await follower?.view()) ?? known);
        return posted(send)({ ...request, messages });
      };
    },
  };
}
