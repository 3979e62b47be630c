import { createHash } from 'node:crypto';
import type { Fields } from '@ctx/core/codec';
import type { Answer, AnswerEndpoint, CountEndpoint, Ids, Usage } from '../dialect.js';
import { Refusal } from '../dialect.js';
import type { Reading, Spoken } from '../reading.js';
import type { Turn } from '../script.js';
import { textsOf } from '../stream-parts.js';
import { BoundReasoning } from './bound-reasoning.js';
import { failureEvents, responseEvents } from './responses-events.js';
import { checkResponses } from './responses-rules.js';
import type { StoredItems } from './stored-items.js';
import { errorBody } from './words.js';

/** `POST /v1/responses`. */
export function responsesEndpoint(ids: Ids, stored: StoredItems): AnswerEndpoint {
  const reasoning = new BoundReasoning();
  return {
    kind: 'answer',
    check: (request) => checkResponses(request, stored),
    segments: (request) => segments(request, stored),
    read: (request) => read(request, stored.inputOf(request)),
    answer: (request, turn, usage) => answer(request, turn, usage, { ids, stored, reasoning }),
    overflow,
    asksForStream: ({ stream }) => stream === true,
    events: ({ body }) => responseEvents(body),
    overflowEvents: ({ message }, request) =>
      failureEvents(envelope(request, ids.next('resp_'), []), { code: 'context_length_exceeded', message }),
  };
}

/** `POST /v1/responses/compact`: all messages of the user, and an item that stands for the rest. */
export function compactEndpoint(ids: Ids, stored: StoredItems): AnswerEndpoint {
  return {
    ...responsesEndpoint(ids, stored),
    answer(request, _turn, usage) {
      const users = stored.inputOf(request).filter(({ role }) => role === 'user');
      const output = [...users, compaction(ids)];
      const { created_at, usage: counted } = envelope(request, '', [], usage);
      const body = {
        id: ids.next('resp_'),
        object: 'response.compaction',
        created_at,
        output,
        usage: counted,
      };
      stored.add(request, body, []);
      return { body };
    },
  };
}

/** `POST /v1/responses/input_tokens`. */
export function responseTokensEndpoint(stored: StoredItems): CountEndpoint {
  return {
    kind: 'count',
    check: (request) => checkResponses(request, stored),
    segments: (request) => segments(request, stored),
    counted: (input_tokens) => ({ object: 'response.input_tokens', input_tokens }),
  };
}

function segments(request: Fields, stored: StoredItems): unknown[] {
  const { tools = [], instructions } = request;
  return [...(tools as unknown[]), instructions ?? '', ...stored.inputOf(request)];
}

const isCall = (item: Fields | undefined) =>
  item?.type === 'function_call' || item?.type === 'custom_tool_call';

/** Calls that follow each other are of one message. */
function read({ tools = [] }: Fields, items: readonly Fields[]): Reading {
  const starts = [...items.keys()].filter((at) => !isCall(items[at]) || !isCall(items[at - 1]));
  return {
    tools: (tools as Fields[]).filter(({ type }) => type === 'function').map(({ name }) => String(name)),
    spoken: starts.map((start, nth): Spoken => {
      const { type, role, content, call_id: key, output: result } = items[start] as Fields;
      const isOutput = String(type).endsWith('_output');
      const calls = items.slice(start, starts[nth + 1]).filter(isCall);
      return {
        by: role === 'user' ? 'user' : isOutput ? 'tool' : 'model',
        texts: textsOf(content),
        calls: calls.map(({ call_id, name, arguments: input }) => ({
          key: String(call_id),
          name: String(name),
          input,
        })),
        results: isOutput ? [{ key, result }] : [],
      };
    }),
  };
}

interface Server {
  readonly ids: Ids;
  readonly stored: StoredItems;
  readonly reasoning: BoundReasoning;
}

function answer(request: Fields, turn: Turn, usage: Usage, { ids, stored, reasoning }: Server): Answer {
  const { include } = request;
  const isEncrypted = Array.isArray(include) && include.includes('reasoning.encrypted_content');
  const input = stored.inputOf(request);
  const removed = reasoning.removed(request, input);
  if (input.at(-1)?.type === 'compaction_trigger') {
    const body = { ...envelope(request, ids.next('resp_'), [compaction(ids)], usage), ...removed };
    stored.add(request, body, []);
    return { body };
  }
  const output: Fields[] = isOver(request, usage) ? [compaction(ids)] : [];
  if (turn.thinking !== undefined) {
    const id = ids.next('rs_');
    output.push({
      id,
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: turn.thinking }],
      ...(isEncrypted ? { encrypted_content: sealed(`${id} ${turn.thinking}`) } : {}),
    });
  }
  if (turn.text !== undefined) {
    const content = [{ type: 'output_text', text: turn.text, annotations: [], logprobs: [] }];
    output.push({ id: ids.next('msg_'), type: 'message', status: 'completed', role: 'assistant', content });
  }
  const calls = turn.calls.map(({ name, input }) => ({
    id: ids.next('fc_'),
    type: 'function_call',
    status: 'completed',
    call_id: ids.next('call_'),
    name,
    arguments: JSON.stringify(input),
  }));
  output.push(...calls);
  const body = { ...envelope(request, ids.next('resp_'), output, usage), ...removed };
  stored.add(request, body, input);
  reasoning.answered(input, body);
  return { body, ...(calls[0] === undefined ? {} : { key: calls[0].call_id }) };
}

function compaction(ids: Ids): Fields {
  const id = ids.next('cmp_');
  return { id, type: 'compaction', encrypted_content: sealed(id) };
}

/** True if the request has the server compact from a threshold on, and has reached it. */
function isOver({ context_management: entries }: Fields, { input }: Usage): boolean {
  if (!Array.isArray(entries)) return false;
  return entries.some(({ compact_threshold: most }) => input > Number(most ?? Number.POSITIVE_INFINITY));
}

const sealed = (text: string) => `gAAAA${createHash('sha512').update(text).digest('base64')}`;

function envelope(request: Fields, id: string, output: readonly Fields[], usage?: Usage): Fields {
  return {
    id,
    object: 'response',
    created_at: 1_700_000_000,
    status: 'completed',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    model: request.model,
    output,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: request.previous_response_id ?? null,
    reasoning: { effort: null, summary: null },
    service_tier: 'default',
    store: request.store ?? true,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: request.tools ?? [],
    top_p: 1,
    truncation: 'disabled',
    usage: usage && {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: usage.cached },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.input + usage.output,
    },
    user: null,
    metadata: {},
  };
}

function overflow(): Refusal {
  const message =
    'Your input exceeds the context window of this model. Please adjust your input and try again.';
  const body = errorBody(message, 'invalid_request_error', {
    param: 'input',
    code: 'context_length_exceeded',
  });
  return new Refusal('overflow', 400, message, body);
}
