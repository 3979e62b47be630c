import type { Fields } from '@ctx/core/codec';
import type { Answer, AnswerEndpoint, CountEndpoint, NewestResult, SeenCalls, Usage } from '../dialect.js';
import type { Ids } from '../ids.js';
import { Refusal } from '../refusal.js';
import { isPrompt, type Turn } from '../script.js';
import { namedEvent, textOf, textsOf } from '../stream-parts.js';
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
    seen,
    newest,
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

function seen({ messages, tools = [] }: Fields): SeenCalls {
  const all = (messages as Fields[]).filter(({ role }) => role !== 'system');
  const has = (type: string) => (message: Fields | undefined) =>
    message !== undefined && blocksOf(message).some((block) => block.type === type);
  const prompt = all.findLastIndex(
    (message) => message.role === 'user' && !has('tool_result')(message) && isPrompt(textOf(message.content)),
  );
  const newest = all.findLast(has('tool_use'));
  const call = newest && blocksOf(newest).find(({ type }) => type === 'tool_use');
  return {
    prompt: textOf(all[prompt]?.content),
    said: all.filter(({ role }) => role === 'user').flatMap(({ content }) => textsOf(content)),
    shown: all.slice(prompt + 1).filter(has('tool_use')).length,
    tools: (tools as Fields[]).map(({ name }) => String(name)),
    ...(has('tool_result')(all.at(-1)) && call !== undefined ? { answered: String(call.id) } : {}),
  };
}

function newest({ messages }: Fields): NewestResult[] {
  const all = messages as Fields[];
  const calls = all.findLast(({ role }) => role === 'assistant');
  const last = all.at(-1);
  if (calls === undefined || last?.role !== 'user') return [];
  const results = blocksOf(last).filter(({ type }) => type === 'tool_result');
  return results.flatMap(({ tool_use_id, content }) => {
    const made = blocksOf(calls).find(({ id }) => id === tool_use_id);
    return made === undefined ? [] : [{ name: String(made.name), input: made.input, result: content }];
  });
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
