import { createHash } from 'node:crypto';
import type { Fields } from '@ctx/core/codec';
import {
  type Answer,
  type Dialect,
  type Endpoint,
  type Ids,
  overflow,
  Refusal,
  type Usage,
} from '../dialect.js';
import { type ModelServer, type ModelServerOptions, startModelServer } from '../model-server.js';
import type { Reading } from '../reading.js';
import type { Turn } from '../script.js';
import { piecesOf, textsOf } from '../stream-parts.js';
import { blocksOf, checkConverse, membersOf } from './rules.js';

/** The messages of an event stream of AWS for an answer of the Converse API. */
function converseEvents({ output, stopReason, usage, metrics }: Fields): Buffer[] {
  const { role, content } = (output as { message: Fields }).message;
  return [
    awsEvent('messageStart', { role }),
    ...(content as Fields[]).flatMap(blockEvents),
    awsEvent('messageStop', { stopReason }),
    awsEvent('metadata', { usage, metrics }),
  ];
}

function blockEvents(block: Fields, contentBlockIndex: number): Buffer[] {
  const { toolUse, reasoningContent, text } = block as Record<string, Fields | undefined>;
  const delta = (part: Fields) => awsEvent('contentBlockDelta', { contentBlockIndex, delta: part });
  const deltas = (whole: unknown, partOf: (piece: string) => Fields) =>
    piecesOf(String(whole)).map((piece) => delta(partOf(piece)));
  const stop = awsEvent('contentBlockStop', { contentBlockIndex });
  if (toolUse !== undefined) {
    const { input: given, ...call } = toolUse;
    const start = awsEvent('contentBlockStart', { contentBlockIndex, start: { toolUse: call } });
    return [start, ...deltas(JSON.stringify(given), (input) => ({ toolUse: { input } })), stop];
  }
  if (reasoningContent === undefined) return [...deltas(text, (piece) => ({ text: piece })), stop];
  const { text: thinking, signature } = reasoningContent.reasoningText as Fields;
  const thoughts = deltas(thinking, (piece) => ({ reasoningContent: { text: piece } }));
  return [...thoughts, delta({ reasoningContent: { signature } }), stop];
}

/** A message of an event stream of AWS. */
function awsEvent(name: string, payload: Fields, kind: 'event' | 'exception' = 'event'): Buffer {
  const headers = Buffer.concat([
    header(`:${kind}-type`, name),
    header(':content-type', 'application/json'),
    header(':message-type', kind),
  ]);
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(8);
  // The prelude, its checksum, headers, payload, and a checksum of all.
  prelude.writeUInt32BE(prelude.length + 4 + headers.length + body.length + 4, 0);
  prelude.writeUInt32BE(headers.length, 4);
  const message = Buffer.concat([prelude, checksum(prelude), headers, body]);
  return Buffer.concat([message, checksum(message)]);
}

function header(name: string, value: string): Buffer {
  const [key, text] = [Buffer.from(name), Buffer.from(value)];
  // 7 is the type of a text.
  return Buffer.concat([
    Buffer.from([key.length]),
    key,
    Buffer.from([7, text.length >> 8, text.length]),
    text,
  ]);
}

/** The CRC-32 of some bytes, bit by bit: answers of a test are short. */
function checksum(bytes: Buffer): Buffer {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  const written = Buffer.alloc(4);
  written.writeUInt32BE(~crc >>> 0);
  return written;
}

/**
 * `POST /model/MODEL/converse`, or `…/converse-stream`.
 * @param thoughts the thinking of each signature
 */
function converseEndpoint(thoughts: Map<unknown, unknown>, isStreamed: boolean): Endpoint {
  return {
    streamType: 'application/vnd.amazon.eventstream',
    check: (request) => checkConverse(request, thoughts),
    segments: ({ system = [], toolConfig, messages }) => [
      toolConfig ?? '',
      ...(system as unknown[]),
      ...(messages as unknown[]),
    ],
    read,
    answer: (request, turn, usage, ids) => answer(request, turn, usage, ids, thoughts),
    overflow: () => overflow('Input is too long for requested model.'),
    asksForStream: () => isStreamed,
    events: converseEvents,
    overflowEvents: (error) => [awsEvent('validationException', error, 'exception')],
  };
}

function read({ messages, toolConfig }: Fields): Reading {
  const { tools = [] } = (toolConfig ?? {}) as { tools?: Fields[] };
  return {
    tools: membersOf({ content: tools }, 'toolSpec').map(({ name }) => String(name)),
    spoken: (messages as Fields[]).map((message) => ({
      by: message.role === 'user' ? 'user' : 'model',
      texts: textsOf(blocksOf(message)),
      calls: membersOf(message, 'toolUse').map(({ toolUseId, name, input }) => ({
        key: String(toolUseId),
        name: String(name),
        input,
      })),
      results: membersOf(message, 'toolResult').map(({ toolUseId, content }) => ({
        key: toolUseId,
        result: content,
      })),
    })),
  };
}

function answer(
  { additionalModelRequestFields }: Fields,
  turn: Turn,
  { input, cached, output }: Usage,
  ids: Ids,
  thoughts: Map<unknown, unknown>,
): Answer {
  const isThinking = (additionalModelRequestFields as Fields | undefined)?.thinking !== undefined;
  const signature = createHash('sha256').update(`bedrock ${turn.thinking}`).digest('base64');
  const calls = turn.calls.map(({ name, input: given }) => ({
    toolUse: { toolUseId: ids.next('tooluse_'), name, input: given },
  }));
  const content: Fields[] = [];
  if (isThinking && turn.thinking !== undefined) {
    thoughts.set(signature, turn.thinking);
    content.push({ reasoningContent: { reasoningText: { text: turn.thinking, signature } } });
  }
  if (turn.text !== undefined) content.push({ text: turn.text });
  content.push(...calls);
  const body = {
    output: { message: { role: 'assistant', content } },
    stopReason: calls.length > 0 ? 'tool_use' : 'end_turn',
    // Only what was neither read from the cache nor written to it counts as input.
    usage: {
      inputTokens: input - cached,
      cacheReadInputTokens: cached,
      cacheWriteInputTokens: 0,
      outputTokens: output,
      totalTokens: input + output,
    },
    metrics: { latencyMs: 1 },
  };
  return { body, key: calls[0]?.toolUse.toolUseId };
}

const errorTypes: Readonly<Record<number, string>> = {
  400: 'ValidationException',
  403: 'MissingAuthenticationTokenException',
  404: 'UnknownOperationException',
};

function bedrock(): Dialect {
  const thoughts = new Map<unknown, unknown>();
  const endpoints = {
    converse: converseEndpoint(thoughts, false),
    'converse-stream': converseEndpoint(thoughts, true),
  };
  return {
    endpoint(path) {
      const [, end] = /^\/model\/[^/]+\/(converse|converse-stream)$/.exec(path) ?? [];
      return end === undefined ? undefined : endpoints[end as keyof typeof endpoints];
    },
    admit({ authorization }) {
      if (!/^(?:Bearer \S|AWS4-HMAC-SHA256 Credential=)/.test(String(authorization)))
        throw new Refusal('refused', 403, 'Missing Authentication Token');
    },
    error: ({ message }) => ({ message }),
    headersOf: (status) => ({ 'x-amzn-errortype': errorTypes[status] ?? 'InternalServerException' }),
    words: {
      400: 'The body of the request is not JSON.',
      404: 'The operation is not known.',
      429: 'Too many requests, please wait before trying again.',
      500: 'Internal server error',
    },
  };
}

/**
 * Starts a server on loopback that speaks Bedrock's Converse API (`/model/MODEL/converse`, `…/converse-stream`) as it is with a model of Anthropic.
 * It takes an API key or a signature, and checks neither.
 */
export const startBedrockServer = (options?: ModelServerOptions): Promise<ModelServer> =>
  startModelServer(bedrock(), options);
