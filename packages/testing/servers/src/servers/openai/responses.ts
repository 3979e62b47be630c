import { createHash } from 'node:crypto';
import type { Fields } from '@ctx/core/codec';
import { type Answer, type Endpoint, type Ids, overflow, type Usage } from '../dialect.js';
import type { Reading, Spoken } from '../reading.js';
import type { Turn } from '../script.js';
import { namedEvent, piecesOf, textsOf } from '../stream-parts.js';
import { checkResponses } from './responses-rules.js';
import type { StoredItems } from './stored-items.js';

const tooLong =
  'Your input exceeds the context window of this model. Please adjust your input and try again.';

/** `POST /v1/responses`. */
export function responsesEndpoint(stored: StoredItems): Endpoint {
  return {
    check: (request) => checkResponses(request, stored),
    segments: (request) => segments(request, stored),
    read: (request) => read(request, stored.inputOf(request)),
    answer: (request, turn, usage, ids) => answer(request, turn, usage, ids, stored),
    overflow: () => overflow(tooLong, { param: 'input', code: 'context_length_exceeded' }),
    asksForStream: ({ stream }) => stream === true,
    events: responseEvents,
    overflowEvents({ error }, request) {
      const { code, message } = error as Fields;
      return failureEvents(envelope(request, 'resp_failed', []), { code, message });
    },
  };
}

/** `POST /v1/responses/compact`: all messages of the user, and an item that stands for the rest. */
export function compactEndpoint(stored: StoredItems): Endpoint {
  return {
    ...responsesEndpoint(stored),
    answer(request, _turn, usage, ids) {
      const users = stored.inputOf(request).filter(({ role }) => role === 'user');
      const { created_at, usage: counted } = envelope(request, '', [], usage);
      const about = { id: ids.next('resp_'), object: 'response.compaction', created_at, usage: counted };
      const body = { ...about, output: [...users, compaction(ids)] };
      stored.add(request, body, []);
      return { body };
    },
  };
}

/** `POST /v1/responses/input_tokens`. */
export const responseTokensEndpoint = (stored: StoredItems): Endpoint => ({
  ...responsesEndpoint(stored),
  counted: (input_tokens) => ({ object: 'response.input_tokens', input_tokens }),
});

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

function answer(request: Fields, turn: Turn, usage: Usage, ids: Ids, stored: StoredItems): Answer {
  const input = stored.inputOf(request);
  const removed = stored.removed(request, input);
  const isAsked = input.at(-1)?.type === 'compaction_trigger';
  const output: Fields[] = isAsked || isOver(request, usage) ? [compaction(ids)] : [];
  if (!isAsked) output.push(...said(request, turn, ids));
  const body = { ...envelope(request, ids.next('resp_'), output, usage), ...removed };
  stored.add(request, body, isAsked ? [] : input);
  const first = output.find(isCall);
  return { body, key: first && String(first.call_id) };
}

function said({ include }: Fields, { thinking, text, calls }: Turn, ids: Ids): Fields[] {
  const isEncrypted = Array.isArray(include) && include.includes('reasoning.encrypted_content');
  const items: Fields[] = [];
  if (thinking !== undefined) {
    const id = ids.next('rs_');
    const encrypted = isEncrypted && { encrypted_content: sealed(`${id} ${thinking}`) };
    items.push({
      id,
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: thinking }],
      ...encrypted,
    });
  }
  if (text !== undefined) {
    const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }];
    items.push({ id: ids.next('msg_'), type: 'message', status: 'completed', role: 'assistant', content });
  }
  for (const { name, input } of calls)
    items.push({
      id: ids.next('fc_'),
      type: 'function_call',
      status: 'completed',
      call_id: ids.next('call_'),
      name,
      arguments: JSON.stringify(input),
    });
  return items;
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

/** The events of a streamed response. */
function responseEvents(response: Fields): string[] {
  const started = { ...response, status: 'in_progress', output: [], usage: null };
  const events: Fields[] = [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    ...(response.output as Fields[]).flatMap(itemEvents),
    { type: 'response.completed', response },
  ];
  return numbered(events);
}

/** The events of a response that fails after it began. */
function failureEvents(response: Fields, error: Fields): string[] {
  const started = { ...response, status: 'in_progress' };
  return numbered([
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    { type: 'response.failed', response: { ...response, status: 'failed', error } },
  ]);
}

const numbered = (events: readonly Fields[]) =>
  events.map((event, sequence_number) => namedEvent({ ...event, sequence_number }));

function itemEvents(item: Fields, output_index: number): Fields[] {
  const event = (name: string, fields: Fields) => ({
    type: `response.${name}`,
    item_id: item.id,
    output_index,
    ...fields,
  });
  const deltas = (name: string, text: unknown, fields: Fields = {}) =>
    piecesOf(String(text)).map((delta) => event(`${name}.delta`, { ...fields, delta }));
  /** The events of the one text of an item. */
  const textEvents = (list: string, index: string, [part, text]: [string, string], more: Fields = {}) => {
    const [own] = item[list] as [Fields];
    const place = { [index]: 0 };
    return [
      event(`${part}.added`, { ...place, part: { ...own, text: '' } }),
      ...deltas(text, own.text, { ...place, ...more }),
      event(`${text}.done`, { ...place, text: own.text, ...more }),
      event(`${part}.done`, { ...place, part: own }),
    ];
  };
  const whole = (emptied: Fields, inner: Fields[]): Fields[] => [
    { type: 'response.output_item.added', output_index, item: { ...item, ...emptied } },
    ...inner,
    { type: 'response.output_item.done', output_index, item },
  ];
  const { type, name, arguments: given } = item;
  const [status, logprobs] = ['in_progress', []];
  if (type === 'message')
    return whole(
      { status, content: [] },
      textEvents('content', 'content_index', ['content_part', 'output_text'], { logprobs }),
    );
  if (type === 'reasoning') {
    const names: [string, string] = ['reasoning_summary_part', 'reasoning_summary_text'];
    return whole({ summary: [] }, textEvents('summary', 'summary_index', names));
  }
  if (type === 'compaction') return whole({}, [event('compaction.compacting', {})]);
  const called = 'function_call_arguments';
  return whole({ status, arguments: '' }, [
    ...deltas(called, given),
    event(`${called}.done`, { name, arguments: given }),
  ]);
}
