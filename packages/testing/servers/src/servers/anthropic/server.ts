import { type Fields, isFields } from '@ctx/core/codec';
import {
  type Answer,
  type Dialect,
  type Endpoint,
  type Ids,
  invalid,
  overflow,
  Refusal,
  type Usage,
} from '../dialect.js';
import { type ModelServer, type ModelServerOptions, startModelServer } from '../model-server.js';
import type { Reading } from '../reading.js';
import type { Turn } from '../script.js';
import type { Shape } from '../shape.js';
import { namedEvent, piecesOf, textsOf } from '../stream-parts.js';
import { blocksOf, checkMessages, checkShape, countRequest, messagesRequest } from './rules.js';
import { StoredMessages } from './stored-messages.js';
import { ThinkingSigner } from './thinking-signer.js';

interface Server {
  readonly thinking: ThinkingSigner;
  readonly stored: StoredMessages;
}

/** `POST /v1/messages`. */
function messagesEndpoint(server: Server, shape: Shape): Endpoint {
  const { thinking, stored } = server;
  return {
    check(request) {
      checkShape(request, shape);
      stored.check(request);
      const whole = stored.whole(request);
      checkMessages(whole);
      thinking.check(whole);
    },
    segments: (request) => segments(request, stored),
    read: (request) => read(stored.whole(request)),
    answer: (request, turn, usage, ids) => answer(request, turn, usage, ids, server),
    overflow: (tokens, window) => overflow(`prompt is too long: ${tokens} tokens > ${window} maximum`),
    asksForStream: ({ stream }) => stream === true,
    events: messageEvents,
    overflowEvents: (error) => [namedEvent(error)],
  };
}

function segments(request: Fields, stored: StoredMessages): unknown[] {
  const { tools = [], system = [], messages } = stored.shown(request);
  return [...(tools as unknown[]), ...(Array.isArray(system) ? system : [system]), ...messages];
}

const roles = { system: 'system', user: 'user', assistant: 'model' } as const;

function read({ messages, tools = [] }: Fields): Reading {
  return {
    tools: (tools as Fields[]).map(({ name }) => String(name)),
    spoken: (messages as Fields[]).map((message) => {
      const of = (type: string) => blocksOf(message).filter((block) => block.type === type);
      return {
        by: roles[message.role as keyof typeof roles],
        texts: textsOf(message.content),
        calls: of('tool_use').map(({ id, name, input }) => ({ key: String(id), name: String(name), input })),
        results: of('tool_result').map(({ tool_use_id: key, content: result }) => ({ key, result })),
      };
    }),
  };
}

function answer(request: Fields, turn: Turn, usage: Usage, ids: Ids, { thinking, stored }: Server): Answer {
  const summary = stored.compaction(request, usage, ids);
  const body = {
    id: ids.next('msg_'),
    type: 'message',
    role: 'assistant',
    model: request.model,
    ...stored.diagnostics(request, usage),
    ...thinking.dropped(stored.whole(request)),
  };
  if (isFields(request.compaction)) {
    const iterations = [{ ...usageOf(request, usage), type: 'compaction' }];
    const nothing = { input_tokens: 0, output_tokens: 0, iterations };
    return { body: { ...body, content: [summary], stop_reason: 'compaction', usage: nothing } };
  }
  const mayThink = isFields(request.thinking) && request.thinking.type !== 'disabled';
  const calls = turn.calls.map((call) => ({ type: 'tool_use', id: ids.next('toolu_'), ...call }));
  const said = thinking.sign(stored.whole(request), [
    ...(mayThink && turn.thinking !== undefined ? [{ type: 'thinking', thinking: turn.thinking }] : []),
    ...(turn.text === undefined ? [] : [{ type: 'text', text: turn.text }]),
    ...calls,
  ]);
  const content = summary === undefined ? said : [summary, ...said];
  stored.answered(request, { id: body.id, content });
  const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn';
  const about = { stop_reason, stop_sequence: null, usage: usageOf(request, usage) };
  return { body: { ...body, content, ...about }, key: calls[0]?.id };
}

/** `input_tokens` are only those that were neither read from the cache nor written to it. */
function usageOf(request: Fields, { input, cached, output }: Usage): Fields {
  const isCached = JSON.stringify(request).includes('"cache_control":{');
  return {
    input_tokens: isCached ? 0 : input,
    cache_creation_input_tokens: isCached ? input - cached : 0,
    cache_read_input_tokens: isCached ? cached : 0,
    output_tokens: output,
    service_tier: 'standard',
  };
}

/** The events of a streamed message, with a ping as the API sends it. */
function messageEvents(message: Fields): string[] {
  const { content, stop_reason, stop_sequence, usage } = message;
  const started = {
    ...message,
    content: [],
    stop_reason: null,
    usage: { ...(usage as Fields), output_tokens: 1 },
  };
  return [
    { type: 'message_start', message: started },
    { type: 'ping' },
    ...(content as Fields[]).flatMap(blockEvents),
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage },
    { type: 'message_stop' },
  ].map(namedEvent);
}

function blockEvents(block: Fields, index: number): Fields[] {
  const [empty, deltas] = partsOf(block);
  return [
    { type: 'content_block_start', index, content_block: { ...block, ...empty } },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

/** What a block has at first in place of what comes in deltas, and these. */
function partsOf({ type, text, thinking, signature, input, content, encrypted_content }: Fields) {
  const deltas = (kind: string, name: string, whole: unknown) =>
    piecesOf(String(whole)).map((piece): Fields => ({ type: kind, [name]: piece }));
  if (type === 'text') return [{ text: '' }, deltas('text_delta', 'text', text)] as const;
  if (type === 'compaction')
    return [{ content: null }, [{ type: 'compaction_delta', content, encrypted_content }]] as const;
  if (type !== 'thinking')
    return [{ input: {} }, deltas('input_json_delta', 'partial_json', JSON.stringify(input))] as const;
  const signed = { type: 'signature_delta', signature };
  const all = [...deltas('thinking_delta', 'thinking', thinking), signed];
  return [{ thinking: '', signature: '' }, all] as const;
}

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function anthropic(now?: () => number): Dialect {
  const server = { thinking: new ThinkingSigner(), stored: new StoredMessages(now) };
  const messages = messagesEndpoint(server, messagesRequest);
  const counted = (input_tokens: number) => ({ input_tokens });
  const count = { ...messagesEndpoint(server, countRequest), counted };
  return {
    endpoint: (path) =>
      path === '/v1/messages' ? messages : path === '/v1/messages/count_tokens' ? count : undefined,
    admit(headers) {
      const hasToken = /^Bearer \S/.test(String(headers.authorization));
      if (!headers['x-api-key'] && !hasToken)
        throw new Refusal('refused', 401, 'x-api-key header is required');
      if (!headers['anthropic-version']) throw invalid('anthropic-version: header is required');
    },
    error({ status, message, details }) {
      const type = errorTypes[status] ?? 'api_error';
      return { type: 'error', error: { type, message, ...details }, request_id: 'req_test' };
    },
    words: {
      400: 'The request body is not valid JSON',
      404: 'Not found',
      429: "This request would exceed your organization's rate limit. Please try again later.",
      500: 'Internal server error',
      529: 'Overloaded',
    },
  };
}

/**
 * Starts a server on loopback that speaks Anthropic's Messages API (`/v1/messages`, `/v1/messages/count_tokens`). It signs thinking and
 * binds it to everything before it.
 */
export const startAnthropicServer = (options?: ModelServerOptions): Promise<ModelServer> =>
  startModelServer(anthropic(options?.now), options);
