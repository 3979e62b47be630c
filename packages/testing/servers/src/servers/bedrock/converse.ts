import { createHash } from 'node:crypto';
import type { Fields } from '@ctx/core/codec';
import type { Answer, AnswerEndpoint, Usage } from '../dialect.js';
import type { Ids } from '../ids.js';
import type { Reading } from '../reading.js';
import type { Turn } from '../script.js';
import { textsOf } from '../stream-parts.js';
import { awsEvent, converseEvents } from './events.js';
import { blocksOf, checkConverse, membersOf, refusal } from './rules.js';

const tooLong = 'Input is too long for requested model.';

/**
 * `POST /model/MODEL/converse`, or `…/converse-stream`.
 * @param thoughts the thinking of each signature
 */
export function converseEndpoint(
  ids: Ids,
  thoughts: Map<unknown, unknown>,
  isStreamed: boolean,
): AnswerEndpoint {
  return {
    kind: 'answer',
    streamType: 'application/vnd.amazon.eventstream',
    check: (request) => checkConverse(request, thoughts),
    segments: ({ system = [], toolConfig, messages }) => [
      toolConfig ?? '',
      ...(system as unknown[]),
      ...(messages as unknown[]),
    ],
    read,
    answer: (request, turn, usage) => answer(request, turn, usage, ids, thoughts),
    overflow: () => refusal('overflow', tooLong),
    asksForStream: () => isStreamed,
    events: ({ body }) => converseEvents(body),
    overflowEvents: ({ body }) => [awsEvent('validationException', body, 'exception')],
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
  return { body, ...(calls[0] !== undefined && { key: calls[0].toolUse.toolUseId }) };
}
