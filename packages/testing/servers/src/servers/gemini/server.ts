import { createHash } from 'node:crypto';
import { type Fields, isFields } from '@ctx/core/codec';
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
import { checkGenerate, isSigned, partsOf, responsesIn } from './rules.js';

/**
 * `POST /v1beta/models/M:generateContent`, and `:streamGenerateContent?alt=sse`, which is a stream.
 * @param signed the thought signatures of earlier answers
 */
function generateEndpoint(model: string, isStream: boolean, signed: Set<unknown>): Endpoint {
  return {
    check: (request) => checkGenerate(request, model, signed),
    segments: ({ tools = [], systemInstruction, contents }) => [
      ...(tools as unknown[]),
      systemInstruction ?? '',
      ...(contents as unknown[]),
    ],
    read,
    answer: (request, turn, usage, ids) => answer(request, turn, usage, ids, model, signed),
    overflow: (tokens, window) =>
      overflow(`The input token count (${tokens}) exceeds the maximum number of tokens allowed (${window}).`),
    asksForStream: () => isStream,
    events,
    overflowEvents: (error) => [event(error)],
  };
}

/** Calls have no ids of their own, and the same call in two conversations is in the same round. Google's SDK writes its fields in another order. */
const keyOf = ({ name, args }: Fields) => JSON.stringify([name, args]);

/** Calls have no ids: results come in their order. */
function read({ contents, tools = [] }: Fields): Reading {
  const declared = (tools as Fields[]).flatMap(
    ({ functionDeclarations = [] }) => functionDeclarations as Fields[],
  );
  return {
    tools: declared.map(({ name }) => String(name)),
    spoken: (contents as Fields[]).map((content) => ({
      by: content.role === 'model' ? 'model' : 'user',
      texts: textsOf(content.parts),
      calls: partsOf(content).flatMap(({ functionCall: call }) =>
        isFields(call) ? [{ key: keyOf(call), name: String(call.name), input: call.args }] : [],
      ),
      results: responsesIn(content).map(({ functionResponse: result }) => ({ result })),
    })),
  };
}

function answer(
  request: Fields,
  turn: Turn,
  usage: Usage,
  ids: Ids,
  model: string,
  signed: Set<unknown>,
): Answer {
  const responseId = ids.next('');
  const config = isFields(request.generationConfig) ? request.generationConfig : {};
  const thinking = isFields(config.thinkingConfig) ? config.thinkingConfig : {};
  const isShown = thinking.includeThoughts === true && turn.thinking !== undefined;
  const signature = createHash('sha512').update(`${responseId} ${turn.thinking}`).digest('base64');
  const calls = turn.calls.map(({ name, input }, at) => ({
    functionCall: { name, args: input },
    ...(at === 0 && isSigned(model) ? { thoughtSignature: signature } : {}),
  }));
  signed.add(signature);
  const parts = [
    ...(isShown ? [{ text: turn.thinking, thought: true }] : []),
    ...(turn.text === undefined ? [] : [{ text: turn.text }]),
    ...calls,
  ];
  return {
    body: {
      candidates: [{ content: { parts, role: 'model' }, finishReason: 'STOP', index: 0 }],
      usageMetadata: {
        promptTokenCount: usage.input,
        candidatesTokenCount: usage.output,
        totalTokenCount: usage.input + usage.output,
        ...(usage.cached > 0 ? { cachedContentTokenCount: usage.cached } : {}),
        promptTokensDetails: [{ modality: 'TEXT', tokenCount: usage.input }],
      },
      modelVersion: model,
      responseId,
    },
    key: calls[0] && keyOf(calls[0].functionCall),
  };
}

/** Google ends its lines with CR LF. */
const event = (data: Fields) => `data: ${JSON.stringify(data)}\r\n\r\n`;

/** Every chunk has the usage; only the last says why the model stopped. */
function events(body: Fields): string[] {
  const [{ content }] = body.candidates as [{ content: Fields }];
  const pieces = partsOf(content).flatMap((part): Fields[] =>
    typeof part.text === 'string' ? piecesOf(part.text).map((text) => ({ ...part, text })) : [part],
  );
  return pieces.map((part, at) => {
    const last = at === pieces.length - 1 ? { finishReason: 'STOP' } : {};
    return event({ ...body, candidates: [{ content: { parts: [part], role: 'model' }, ...last, index: 0 }] });
  });
}

const noKey =
  "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.";

const statuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

function gemini(): Dialect {
  const signed = new Set<unknown>();
  return {
    endpoint(path, query) {
      const [, model = '', verb = ''] = /^\/v1(?:beta|alpha)?\/models\/([^/:]+):(\w+)$/.exec(path) ?? [];
      const isStream = verb === 'streamGenerateContent' && query.get('alt') === 'sse';
      if (verb !== 'generateContent' && !isStream) return undefined;
      return generateEndpoint(model, isStream, signed);
    },
    admit(headers, query) {
      if (headers['x-goog-api-key'] || query.get('key') || headers.authorization) return;
      throw new Refusal('refused', 403, noKey);
    },
    error: ({ status: code, message }) => ({
      error: { code, message, status: statuses[code] ?? 'INTERNAL' },
    }),
    words: {
      400: 'Invalid JSON payload received. Unexpected token.',
      404: 'Not Found',
      429: 'You exceeded your current quota, please check your plan and billing details.',
      500: 'An internal error has occurred. Please retry.',
      503: 'The model is overloaded. Please try again later.',
    },
  };
}

/**
 * Starts a server on loopback that speaks Google's Gemini API (`:generateContent`, `:streamGenerateContent?alt=sse`).
 */
export const startGeminiServer = (options?: ModelServerOptions): Promise<ModelServer> =>
  startModelServer(gemini(), options);
