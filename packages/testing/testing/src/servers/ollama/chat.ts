import type { Fields } from '@ctx/core/codec';
import type { Answer, AnswerEndpoint, NewestResult, SeenCalls, Usage } from '../dialect.js';
import type { Ids } from '../ids.js';
import { Refusal } from '../refusal.js';
import { isPrompt, type Turn } from '../script.js';
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
    seen,
    newest,
    answer: (request, turn, usage) => answer(request, turn, usage, ids),
    overflow,
    asksForStream: ({ stream }) => stream !== false,
    events: ({ body }) => events(body),
    overflowEvents: ({ body }) => [line(body)],
  };
}

const messagesOf = ({ messages }: Fields) => messages as Fields[];
const contentOf = (message: Fields | undefined) => String(message?.content ?? '');

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

function seen(request: Fields): SeenCalls {
  const all = messagesOf(request);
  const prompt = all.findLastIndex(({ role, content }) => role === 'user' && isPrompt(String(content)));
  const rounds = all.slice(prompt + 1).filter((message) => callsOf(message).length > 0);
  const newestCall = all.findLast((message) => callsOf(message).length > 0);
  const id = newestCall && callsOf(newestCall)[0]?.id;
  return {
    prompt: contentOf(all[prompt]),
    said: all.filter(({ role }) => role === 'user').map(contentOf),
    shown: rounds.length,
    tools: ((request.tools ?? []) as Fields[]).map(nameOf),
    ...(all.at(-1)?.role === 'tool' && id !== undefined && { answered: String(id) }),
  };
}

function newest(request: Fields): NewestResult[] {
  const all = messagesOf(request);
  const last = all.findLastIndex(({ role }) => role === 'assistant');
  const calls = [...callsOf(all[last] ?? {})];
  return all.slice(last + 1).flatMap(({ role, tool_name, content }) => {
    const at = calls.findIndex((call) => nameOf(call) === tool_name);
    const [call] = role === 'tool' && at >= 0 ? calls.splice(at, 1) : [];
    if (call === undefined) return [];
    return [{ name: nameOf(call), input: (call.function as Fields).arguments, result: content }];
  });
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
