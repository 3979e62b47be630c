import { type Fields, isFields } from '@ctx/core/codec';
import {
  type Answer,
  type Dialect,
  type Endpoint,
  type Ids,
  invalid,
  overflow,
  type Refusal,
  type Usage,
} from '../dialect.js';
import { type ModelServer, type ModelServerOptions, startModelServer } from '../model-server.js';
import type { Reading, Spoken } from '../reading.js';
import type { Turn } from '../script.js';
import { misfitOf, shapesIn } from '../shape.js';
import { piecesOf } from '../stream-parts.js';

/** The body of `POST /api/chat`. Ollama itself ignores unknown fields, and renders whatever it is given. */
const chatRequest = shapesIn(`
  call    = {function: {name: string, arguments: object, index?}, id?: string, type?: string}
  message = {role: 'system', content: string}
          | {role: 'user', content: string, images?: [string]}
          | {role: 'assistant', content?: string, thinking?: string, tool_calls?: [call]}
          | {role: 'tool', content: string, tool_name: string, tool_call_id?: string}
  tool    = {type: 'function', function: {name: string, description?: string, parameters?: object}}
  request = {model: string, messages: [message]+, tools?: [tool], stream?: boolean, truncate?: boolean,
             options?: object, format?, keep_alive?, logprobs?, shift?, think?, top_logprobs?}
`)('request');

/** Refuses what Ollama can't read, and what its templates would render without saying that it makes no sense. */
function checkChat(request: Fields): void {
  const misfit = misfitOf(chatRequest, request);
  if (misfit !== undefined) throw invalid(`json: ChatRequest.${misfit.place} ${misfit.problem}`);
  let open: Fields[] = [];
  for (const [index, message] of (request.messages as Fields[]).entries()) {
    checkImages(message);
    if (message.role === 'tool') open = answered(open, message, index);
    else if (open.length > 0) throw invalid(`messages[${index}]: ${open.length} calls have no result`);
    open = message.role === 'assistant' ? callsOf(message) : open;
  }
  if (open.length > 0) throw invalid(`${open.length} calls have no result`);
}

const callsOf = ({ tool_calls = [] }: Fields) => tool_calls as Fields[];
const nameOf = (call: Fields) => String(isFields(call.function) ? call.function.name : '');

/** The calls that are still open after a result. */
function answered(open: readonly Fields[], { tool_name, tool_call_id }: Fields, index: number): Fields[] {
  const at = open.findIndex(
    (call) => nameOf(call) === tool_name && (tool_call_id === undefined || call.id === tool_call_id),
  );
  if (at < 0) throw invalid(`messages[${index}]: no call of "${String(tool_name)}" waits for a result`);
  return open.filter((_, other) => other !== at);
}

function checkImages({ images = [] }: Fields): void {
  if ((images as string[]).some((image) => !/^[A-Za-z0-9+/]+={0,2}$/.test(image)))
    throw invalid('illegal base64 data at input byte 0');
}

/** `POST /api/chat`. */
const chat: Endpoint = {
  streamType: 'application/x-ndjson',
  check: checkChat,
  segments,
  windowOf: ({ options }) => (options as Fields | undefined)?.num_ctx as number | undefined,
  truncated,
  read,
  answer,
  overflow: tooLong,
  asksForStream: ({ stream }) => stream !== false,
  events,
  overflowEvents: (error) => [line(error)],
};

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
  return { body, key: calls[0]?.id };
}

/** As llama-server words it, which Ollama passes on as a text. */
function tooLong(tokens: number, window: number): Refusal {
  const message = `request (${tokens} tokens) exceeds the available context size (${window} tokens), try increasing it`;
  const type = 'exceed_context_size_error';
  return overflow(message, { code: 400, message, type, n_prompt_tokens: tokens, n_ctx: window });
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

const ollama: Dialect = {
  endpoint: (path) => (path === '/api/chat' ? chat : undefined),
  admit: () => {},
  error: ({ message, details }) => ({
    error: details.code === undefined ? message : JSON.stringify({ error: details }),
  }),
  words: {
    400: 'invalid character in the body',
    404: '404 page not found',
    429: 'too many requests',
    500: 'internal server error',
  },
};

/**
 * Starts a server on loopback that speaks Ollama's own API (`/api/chat`). Its window is `num_ctx` of a request, and at most that of the options.
 * It truncates what is longer, as Ollama does, and refuses it only with `truncate: false`.
 */
export const startOllamaServer = (options?: ModelServerOptions): Promise<ModelServer> =>
  startModelServer(ollama, options);
