import type { Fields } from '@ctx/core/codec';
import {
  type Answer,
  type AnswerEndpoint,
  type CountEndpoint,
  type Dialect,
  type Endpoint,
  Ids,
  Refusal,
  type Usage,
} from '../dialect.js';
import { type ModelServer, type ModelServerOptions, startModelServer } from '../model-server.js';
import type { Reading } from '../reading.js';
import type { Turn } from '../script.js';
import { namedEvent, piecesOf, textsOf } from '../stream-parts.js';
import { checkMessages } from './rules.js';
import { countRequest, messagesRequest } from './shape.js';
import { BoundThinking } from './thinking.js';
import { blocksOf, errorBody, invalid } from './words.js';

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
  const { empty, deltas } = partsOf(block);
  return [
    { type: 'content_block_start', index, content_block: empty },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

/** A block without what comes in deltas, and these. */
function partsOf(block: Fields): { readonly empty: Fields; readonly deltas: readonly Fields[] } {
  switch (block.type) {
    case 'text':
      return {
        empty: { ...block, text: '' },
        deltas: piecesOf(String(block.text)).map((text) => ({ type: 'text_delta', text })),
      };
    case 'thinking':
      return {
        empty: { ...block, thinking: '', signature: '' },
        deltas: [
          ...piecesOf(String(block.thinking)).map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: block.signature },
        ],
      };
    default:
      return {
        empty: { ...block, input: {} },
        deltas: piecesOf(JSON.stringify(block.input)).map((partial_json) => ({
          type: 'input_json_delta',
          partial_json,
        })),
      };
  }
}

/** `POST /v1/messages`. */
function messagesEndpoint(ids: Ids, thinking: BoundThinking): AnswerEndpoint {
  return {
    kind: 'answer',
    check(request) {
      checkMessages(request, messagesRequest);
      thinking.check(request);
    },
    segments,
    read,
    answer: (request, turn, usage) => answer(request, turn, usage, ids, thinking),
    overflow(tokens, window) {
      const message = `prompt is too long: ${tokens} tokens > ${window} maximum`;
      return new Refusal('overflow', 400, message, errorBody('invalid_request_error', message));
    },
    asksForStream: ({ stream }) => stream === true,
    events: ({ body }) => messageEvents(body),
    overflowEvents: ({ body }) => [namedEvent(body)],
  };
}

/** `POST /v1/messages/count_tokens`. */
function countTokensEndpoint(thinking: BoundThinking): CountEndpoint {
  return {
    kind: 'count',
    check(request) {
      checkMessages(request, countRequest);
      thinking.check(request);
    },
    segments,
    counted: (input_tokens) => ({ input_tokens }),
  };
}

function segments({ tools = [], system = [], messages }: Fields): unknown[] {
  return [
    ...(tools as unknown[]),
    ...(Array.isArray(system) ? system : [system]),
    ...(messages as unknown[]),
  ];
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

function answer(request: Fields, turn: Turn, usage: Usage, ids: Ids, thinking: BoundThinking): Answer {
  const isThinking = BoundThinking.isOn(request) && turn.thinking !== undefined;
  const calls = turn.calls.map(({ name, input }) => ({
    type: 'tool_use',
    id: ids.next('toolu_'),
    name,
    input,
  }));
  const content = thinking.sign(request, [
    ...(isThinking ? [{ type: 'thinking', thinking: turn.thinking }] : []),
    ...(turn.text === undefined ? [] : [{ type: 'text', text: turn.text }]),
    ...calls,
  ]);
  return {
    body: {
      id: ids.next('msg_'),
      type: 'message',
      role: 'assistant',
      model: request.model,
      content,
      stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage: usageOf(request, usage),
    },
    ...(calls[0] === undefined ? {} : { key: calls[0].id }),
  };
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

const failures: Readonly<Record<number, readonly [type: string, message: string]>> = {
  429: [
    'rate_limit_error',
    "This request would exceed your organization's rate limit. Please try again later.",
  ],
  529: ['overloaded_error', 'Overloaded'],
};

function anthropic(): Dialect {
  const thinking = new BoundThinking();
  const endpoints = new Map<string, Endpoint>([
    ['/v1/messages', messagesEndpoint(new Ids(), thinking)],
    ['/v1/messages/count_tokens', countTokensEndpoint(thinking)],
  ]);
  return {
    endpoint: (path) => endpoints.get(path),
    gatekeeper(headers) {
      const hasToken = /^Bearer \S/.test(String(headers.authorization));
      if (!headers['x-api-key'] && !hasToken) {
        const message = 'x-api-key header is required';
        return new Refusal('other', 401, message, errorBody('authentication_error', message));
      }
      if (!headers['anthropic-version']) return invalid('anthropic-version: header is required');
      return undefined;
    },
    unknownPath: () => new Refusal('other', 404, 'Not found', errorBody('not_found_error', 'Not found')),
    notJson: () => invalid('The request body is not valid JSON'),
    failure: (status) => errorBody(...(failures[status] ?? ['api_error', 'Internal server error'])),
  };
}

/**
 * Starts a server on loopback that speaks Anthropic's Messages API (`/v1/messages`, `/v1/messages/count_tokens`). It signs thinking and
 * binds it to everything before it. The README lists the rules by which it refuses.
 */
export const startAnthropicServer = (options?: ModelServerOptions): Promise<ModelServer> =>
  startModelServer(anthropic(), options);
