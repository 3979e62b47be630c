import { type Fields, isFields } from '@ctx/core/codec';
import { type Answer, type Endpoint, type Ids, overflow, type Usage } from '../dialect.js';
import type { Reading } from '../reading.js';
import type { Turn } from '../script.js';
import type { Shape } from '../shape.js';
import { namedEvent, textsOf } from '../stream-parts.js';
import { blocksOf } from './blocks.js';
import { messageEvents } from './events.js';
import { checkMessages, checkShape } from './rules.js';
import type { StoredMessages } from './stored-messages.js';
import type { ThinkingSigner } from './thinking-signer.js';

interface Server {
  readonly ids: Ids;
  readonly thinking: ThinkingSigner;
  readonly stored: StoredMessages;
}

/** `POST /v1/messages`. */
export function messagesEndpoint(server: Server, shape: Shape): Endpoint {
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
    answer: (request, turn, usage) => answer(request, turn, usage, server),
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
