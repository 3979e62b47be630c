import { type Fields, isFields } from '@ctx/core/codec';
import {
  type Answer,
  type AnswerEndpoint,
  type CountEndpoint,
  type Ids,
  Refusal,
  type Usage,
} from '../dialect.js';
import type { Reading } from '../reading.js';
import type { Turn } from '../script.js';
import type { Shape } from '../shape.js';
import { namedEvent, textsOf } from '../stream-parts.js';
import { blocksOf } from './blocks.js';
import { messageEvents } from './events.js';
import { checkMessages, checkShape } from './rules.js';
import { countRequest, messagesRequest } from './shape.js';
import type { StoredMessages } from './stored-messages.js';
import { BoundThinking } from './thinking.js';
import { errorBody } from './words.js';

/** `POST /v1/messages`. */
export function messagesEndpoint(ids: Ids, thinking: BoundThinking, stored: StoredMessages): AnswerEndpoint {
  return {
    kind: 'answer',
    check: (request) => check(request, messagesRequest, thinking, stored),
    segments: (request) => segments(request, stored),
    read: (request) => read(stored.whole(request)),
    answer: (request, turn, usage) => answer(request, turn, usage, { ids, thinking, stored }),
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
export function countTokensEndpoint(thinking: BoundThinking, stored: StoredMessages): CountEndpoint {
  return {
    kind: 'count',
    check: (request) => check(request, countRequest, thinking, stored),
    segments: (request) => segments(request, stored),
    counted: (input_tokens) => ({ input_tokens }),
  };
}

function check(request: Fields, shape: Shape, thinking: BoundThinking, stored: StoredMessages): void {
  checkShape(request, shape);
  stored.check(request);
  const whole = stored.whole(request);
  checkMessages(whole);
  thinking.check(whole);
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

interface Server {
  readonly ids: Ids;
  readonly thinking: BoundThinking;
  readonly stored: StoredMessages;
}

function answer(request: Fields, turn: Turn, usage: Usage, { ids, thinking, stored }: Server): Answer {
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
    const none = { input_tokens: 0, output_tokens: 0 };
    const iterations = [{ ...usageOf(request, usage), type: 'compaction' }];
    const usageOfNothing = { ...none, iterations };
    return { body: { ...body, content: [summary], stop_reason: 'compaction', usage: usageOfNothing } };
  }
  const isThinking = BoundThinking.isOn(request) && turn.thinking !== undefined;
  const calls = turn.calls.map(({ name, input }) => ({
    type: 'tool_use',
    id: ids.next('toolu_'),
    name,
    input,
  }));
  const said = thinking.sign(stored.whole(request), [
    ...(isThinking ? [{ type: 'thinking', thinking: turn.thinking }] : []),
    ...(turn.text === undefined ? [] : [{ type: 'text', text: turn.text }]),
    ...calls,
  ]);
  const content = summary === undefined ? said : [summary, ...said];
  stored.answered(request, { id: body.id, content });
  return {
    body: {
      ...body,
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
