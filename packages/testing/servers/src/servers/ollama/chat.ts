import type { Fields } from '@ctx/core/codec';
import type { Answer, AnswerEndpoint, Usage } from '../dialect.js';
import type { Ids } from '../ids.js';
import type { Reading, Spoken } from '../reading.js';
import { Refusal } from '../refusal.js';
import type { Turn } from '../script.js';
import { piecesOf } from '../stream-parts.js';
import { callsOf, checkChat, nameOf } from './rules.js';

/** `POST /api/chat`. */
export function chatEndpoint(ids: Ids): AnswerEndpoint {
  return {
    kind: 'answer',
    streamType: 'application/x-ndjson',
    check: checkChat,
    segments,
    windowOf: ({ options }) => (options as Fields | undefined)?.num_ctx as number | undefined,
    truncated,
    read,
    answer: (request, turn, usage) => answer(request, turn, usage, ids),
    overflow,
    asksForStream: ({ stream }) => stream !== false,
    events: ({ body }) => events(body),
    overflowEvents: ({ body }) => [line(body)],
  };
}

const messagesOf = ({ messages }: Fields) => messages as Fields[];

function segments(request: Fields): unknown[] {
  const { tools = [] } = request;
  return [...(tools as unknown[]), ...messagesOf(request).map(({ images: _, ...message }) => message)];
}

/** Without `truncate: false`, messages are dropped from the front until the rest fits; system prompts and the last message stay. */
function truncated(request: Fields, fits: (request: Fields) => boolean): Fields | undefined {
  if (request.truncate === false) return undefined;
  const messages = messagesOf(request);
  const from = (at: number): Fields => ({
    ...request,
    messages: [...messages.slice(0, at).filter(({ role }) => role === 'system'), ...messages.slice(at)],
  });
  const starts = messages.map((_, at) => from(at));
  return starts.find(fits) ?? starts.at(-1);
}

function read(request: Fields): Reading {
  return {
    tools: ((request.tools ?? []) as Fields[]).map(nameOf),
    spoken: messagesOf(request).map((message) => {
      const { role, content = '', tool_name: name } = message;
      return {
        by: (role === 'assistant' ? 'model' : role) as Spoken['by'],
        texts: [String(content)],
        calls: callsOf(message).map((call) => ({
          key: call.id as string | undefined,
          name: nameOf(call),
          input: (call.function as Fields).arguments,
        })),
        results: role === 'tool' ? [{ name, result: content }] : [],
      };
    }),
  };
}

function answer({ model, think }: Fields, turn: Turn, usage: Usage, ids: Ids): Answer {
  const calls = turn.calls.map(({ name, input }, index) => ({
    id: ids.next('call_'),
    function: { index, name, arguments: input },
  }));
  const message = {
    role: 'assistant',
    content: turn.text ?? '',
    ...(think === true && turn.thinking !== undefined && { thinking: turn.thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const body = {
    model,
    created_at: '2025-01-01T00:00:00Z',
    message,
    done: true,
    done_reason: 'stop',
    total_duration: 1_000_000,
    load_duration: 1_000,
    prompt_eval_count: usage.input,
    prompt_eval_duration: 1_000,
    eval_count: usage.output,
    eval_duration: 1_000,
  };
  return { body, ...(calls[0] !== undefined && { key: calls[0].id }) };
}

/** As llama-server words it, which Ollama passes on as a text. */
function overflow(tokens: number, window: number): Refusal {
  const message = `request (${tokens} tokens) exceeds the available context size (${window} tokens), try increasing it`;
  const error = {
    code: 400,
    message,
    type: 'exceed_context_size_error',
    n_prompt_tokens: tokens,
    n_ctx: window,
  };
  return new Refusal('overflow', 400, message, { error: JSON.stringify({ error }) });
}

const line = (value: Fields) => `${JSON.stringify(value)}\n`;

/** What was counted comes with the last line, in which nothing is said. */
function events({ message, ...rest }: Fields): string[] {
  const { content, thinking, tool_calls } = message as Fields;
  const { model, created_at } = rest;
  const said = (part: Fields) =>
    line({ model, created_at, message: { role: 'assistant', content: '', ...part }, done: false });
  return [
    ...piecesOf(String(thinking ?? '')).map((piece) => said({ thinking: piece })),
    ...piecesOf(String(content)).map((piece) => said({ content: piece })),
    ...(tool_calls === undefined ? [] : [said({ tool_calls })]),
    line({ ...rest, message: { role: 'assistant', content: '' } }),
  ];
}
