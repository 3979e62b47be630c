import type { Fields } from '@ctx/core/codec';
import type { Answer, AnswerEndpoint, CountEndpoint, Ids, Usage } from '../dialect.js';
import { Refusal } from '../dialect.js';
import type { Reading } from '../reading.js';
import type { Turn } from '../script.js';
import { namedEvent, textsOf } from '../stream-parts.js';
import { blocksOf } from './blocks.js';
import { messageEvents } from './events.js';
import { checkMessages } from './rules.js';
import { countRequest, messagesRequest } from './shape.js';
import { BoundThinking } from './thinking.js';
import { errorBody } from './words.js';

/** `POST /v1/messages`. */
export function messagesEndpoint(ids: Ids, thinking: BoundThinking): AnswerEndpoint {
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
export function countTokensEndpoint(thinking: BoundThinking): CountEndpoint {
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
