import { createHash } from 'node:crypto';
import type { Fields } from '@ctx/core/codec';
import type { Answer, AnswerEndpoint, NewestResult, SeenCalls, Usage } from '../dialect.js';
import type { Ids } from '../ids.js';
import { isPrompt, type Turn } from '../script.js';
import { textOf, textsOf } from '../stream-parts.js';
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
    seen,
    newest,
    answer: (request, turn, usage) => answer(request, turn, usage, ids, thoughts),
    overflow: () => refusal('overflow', tooLong),
    asksForStream: () => isStreamed,
    events: ({ body }) => converseEvents(body),
    overflowEvents: ({ body }) => [awsEvent('validationException', body, 'exception')],
  };
}

const wordsOf = (message: Fields | undefined) => (message === undefined ? '' : textOf(blocksOf(message)));

function seen({ messages, toolConfig }: Fields): SeenCalls {
  const all = messages as Fields[];
  const isAnswer = (message: Fields | undefined) => membersOf(message, 'toolResult').length > 0;
  const prompt = all.findLastIndex((one) => one.role === 'user' && !isAnswer(one) && isPrompt(wordsOf(one)));
  const [call] = membersOf(
    all.findLast((one) => membersOf(one, 'toolUse').length > 0),
    'toolUse',
  );
  const { tools = [] } = (toolConfig ?? {}) as { tools?: Fields[] };
  return {
    prompt: wordsOf(all[prompt]),
    said: all.filter(({ role }) => role === 'user').flatMap((one) => textsOf(blocksOf(one))),
    shown: all.slice(prompt + 1).filter((one) => membersOf(one, 'toolUse').length > 0).length,
    tools: tools.flatMap(({ toolSpec }) =>
      toolSpec === undefined ? [] : [String((toolSpec as Fields).name)],
    ),
    ...(isAnswer(all.at(-1)) && call !== undefined && { answered: String(call.toolUseId) }),
  };
}

function newest({ messages }: Fields): NewestResult[] {
  const all = messages as Fields[];
  const calls = membersOf(all.at(-2), 'toolUse');
  return membersOf(all.at(-1), 'toolResult').flatMap(({ toolUseId, content }) => {
    const made = calls.find((call) => call.toolUseId === toolUseId);
    return made === undefined ? [] : [{ name: String(made.name), input: made.input, result: content }];
  });
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
