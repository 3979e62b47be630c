import {
  bpeCounter,
  ContextManager,
  createContainer,
  type Message,
  messageText,
  type SummarizeRequest,
  summarizerToken,
} from '@ctx/core';
import { register as registerRelevance } from '@ctx/strategy-relevance';
import { register as registerSlidingWindow } from '@ctx/strategy-sliding-window';
import { assistant, call, result, transcript, user, wordCounter } from '@ctx/testing';
import { type ChatModel, createSummarizer, register, type SummarizerOptions } from '../src/index.js';

/** A container in which a model summarises, for a pipeline of condense and a sliding window. */
export function containerWith(options: SummarizerOptions) {
  const container = createContainer();
  container.register(summarizerToken, { useValue: createSummarizer(options) });
  register(container);
  registerRelevance(container);
  registerSlidingWindow(container);
  return container;
}

/** A session of an agent: the user's task and rules, then a number of rounds of reading, thinking and testing. */
export function session(rounds: number, from = 0): Message[] {
  return Array.from({ length: rounds }, (_, at) => {
    const n = from + at;
    const lines = Array.from(
      { length: 30 },
      (_, line) => `const value${n}x${line} = read(${n * 31 + line});`,
    );
    return transcript(
      ...(n === 0 ? [user('Fix the parser. Never touch src/legacy.ts.')] : []),
      assistant(`Part ${n} reads its values too late, so I look at src/part-${n}.ts next.`),
      call(`r${n}`, 'read', { path: `src/part-${n}.ts` }),
      result(`r${n}`, lines.join('\n')),
      call(`e${n}`, 'edit', {
        path: `src/part-${n}.ts`,
        old_string: lines[3],
        new_string: `const value${n} = ${n};`,
      }),
      result(`e${n}`, 'edited'),
      call(`t${n}`, 'bash', { command: `npm test -- part-${n}` }),
      result(`t${n}`, `ok ${n}\n12 passed`),
    );
  }).flat();
}

export const counter = bpeCounter();

/** A manager whose only stage is condense, with a model that answers with these texts in turn, and what it was asked. */
export function condensing(answer: string | ((asked: number) => string), messages: readonly Message[] = []) {
  const asked: Parameters<ChatModel['complete']>[0][] = [];
  const model: ChatModel = {
    name: 'stub',
    async complete(request) {
      asked.push(request);
      const text = typeof answer === 'string' ? answer : answer(asked.length);
      return { text, stopReason: 'stop', usage: { inputTokens: 7, outputTokens: 3 }, cost: 0.5 };
    },
  };
  const manager = new ContextManager({
    container: containerWith({ model }),
    counter,
    config: { contextWindow: 1_000_000, throttleMs: 0 },
  });
  for (const message of messages) manager.append(message);
  const run = (targetTokens = 8000, more = {}) =>
    manager.compress({ strategy: 'condense', targetTokens, ...more });
  return { manager, asked, run };
}

export const textsOf = (manager: ContextManager) => manager.view().map(messageText);
export const summariesIn = (manager: ContextManager) =>
  textsOf(manager).filter((text) => text.includes('## Conversation Summary'));

/** What core asks of a summarizer for these messages. */
export const requestFor = (
  messages: readonly Message[],
  more: Partial<SummarizeRequest> = {},
): SummarizeRequest => ({
  messages,
  originals: messages.map((message, index) => ({ message, number: index + 1 })),
  maxTokens: 400,
  contextWindow: 100_000,
  automatic: true,
  tokensOf: (text) => wordCounter.count(text),
  signal: new AbortController().signal,
  ...more,
});

/** A model that always answers with this text, and what it was asked. */
export function answering(text: string) {
  const asked: Parameters<ChatModel['complete']>[0][] = [];
  const model: ChatModel = {
    name: 'stub',
    async complete(request) {
      asked.push(request);
      return { text, stopReason: 'stop' };
    },
  };
  return { model, asked };
}
