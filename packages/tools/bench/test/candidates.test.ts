import type { Message } from '@ctx/core';
import {
  arbitraryTranscript,
  assistant,
  call,
  deepFreeze,
  result,
  system,
  transcript,
  user,
  words,
} from '@ctx/testing';
import { type BaseMessage, ToolMessage, trimMessages } from '@langchain/core/messages';
import fc from 'fast-check';
import { repaired } from '../src/bench-session.js';
import { fromAiSdk, toAiSdk } from '../src/candidates/ai-sdk.js';
import { fromLangChain, toLangChain } from '../src/candidates/langchain.js';
import {
  type Candidate,
  type CountTokens,
  type Cut,
  candidates,
  cutsOf,
  loadCounter,
  noCompression,
} from '../src/index.js';
import { codingSession } from './small-cut.js';

let tokensOf: CountTokens;
beforeAll(async () => {
  tokensOf = await loadCounter();
});

function candidate(name: string): Candidate {
  const found = candidates.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no candidate ${name}.`);
  return found;
}

function cutOf(messages: readonly Message[] = codingSession()): Cut {
  const cut = cutsOf(messages, { tokensOf }).at(-1);
  if (cut === undefined) throw new Error('There is no cut.');
  return deepFreeze(cut);
}

/** Compresses messages that are not cut from a session. */
function compress(name: string, prefix: readonly Message[], budget: number) {
  const cut = deepFreeze({ position: prefix.length, prefix, prefixTokens: 0, systemTokens: 0, needed: [] });
  return candidate(name).compress({ cut, model: {}, budget, tokensOf });
}

const budgetOf = ({ systemTokens, prefixTokens }: Cut, share: number) =>
  systemTokens + Math.floor(prefixTokens * share);

describe.each([...candidates, noCompression].map((one) => [one.name, one] as const))('%s', (_name, one) => {
  test.each([
    [0.5, { provider: 'anthropic', model: 'claude-sonnet-4-5' }],
    [0.125, {}],
  ])('leaves its input and the system prompt alone, and does the same twice, at %d', async (share, model) => {
    const cut = cutOf();
    const before = JSON.stringify(cut);
    const task = { cut, model, budget: budgetOf(cut, share), tokensOf };
    const { messages, ms } = await one.compress(task);
    expect((await one.compress(task)).messages).toEqual(messages);
    expect(JSON.stringify(cut)).toBe(before);
    expect(messages[0]).toEqual(cut.prefix[0]);
    expect(messages.filter(({ role }) => role === 'system')).toHaveLength(1);
    expect(ms).toBeGreaterThanOrEqual(0);
  });
});

describe('baselines by hand', () => {
  const lines = transcript(
    system('Be brief.'),
    user(`first ${words(19)}`),
    call('1', 'read', { path: 'a.ts' }),
    result('1', words(40)),
    assistant('middle'),
    user(`last ${words(19)}`),
  );
  const sizeOf = (...messages: (Message | undefined)[]) =>
    messages.reduce((sum, message) => sum + (message === undefined ? 0 : tokensOf(message)), 0);
  const leading = user('[Earlier messages are left out.]');
  const [prompt, first, asked, answer, middle, last] = lines;

  test('keep-last keeps the newest exchanges, a call with its result', async () => {
    const room = (...messages: (Message | undefined)[]) => sizeOf(prompt, leading, ...messages);
    const kept = async (budget: number) => (await compress('keep-last', lines, budget)).messages;
    const withCall = room(asked, answer, middle, last);
    expect(await kept(room(last))).toEqual([prompt, last]);
    expect(await kept(room(middle, last))).toEqual([prompt, leading, middle, last]);
    expect(await kept(withCall)).toEqual([prompt, leading, asked, answer, middle, last]);
    expect(await kept(withCall - 1)).toEqual([prompt, leading, middle, last]);
    expect(await kept(0)).toEqual([prompt, leading]);
    expect(await kept(100_000)).toEqual(lines);
  });

  test('keep-first-and-last gives the first a quarter of the budget', async () => {
    const budget = sizeOf(prompt, leading) + 4 * sizeOf(first);
    const kept = async (room: number) => (await compress('keep-first-and-last', lines, room)).messages;
    expect(await kept(budget)).toEqual([prompt, first, middle, last]);
    expect(await kept(budget - 4)).not.toContain(first);
  });

  test('observation masking masks all but the newest ten results, then drops the oldest', async () => {
    const calls = Array.from({ length: 12 }, (_, at) => [
      call(`${at}`, 'read', { at }),
      result(`${at}`, `text ${at}`),
    ]).flat();
    const { messages } = await compress('observation masking', transcript(user('go'), ...calls), 100_000);
    const texts = messages.flatMap((message) =>
      message.role === 'tool' ? message.content.map(({ output }) => output) : [],
    );
    const masked = '[Old tool result, masked.]';
    expect(texts).toEqual([masked, masked, ...Array.from({ length: 10 }, (_, at) => `text ${at + 2}`)]);
  });
});

/** Results of parallel calls come back from LangChain in one message. */
function joined(messages: readonly Message[]): Pick<Message, 'role' | 'content'>[] {
  const all: Pick<Message, 'role' | 'content'>[] = [];
  for (const { role, content } of messages) {
    const last = all.at(-1);
    if (role === 'tool' && last?.role === 'tool')
      all[all.length - 1] = { role, content: [...last.content, ...content] as Message['content'] };
    else all.push({ role, content });
  }
  return all;
}

describe('messages come back from a peer’s form as they were', () => {
  test('any messages, even if call ids are reused', () => {
    fc.assert(
      fc.property(arbitraryTranscript, (arbitrary) => {
        const messages = deepFreeze(repaired(arbitrary));
        const sdk = toAiSdk(messages);
        expect(fromAiSdk(sdk, sdk, messages)).toEqual(messages);
        expect(joined(fromLangChain(toLangChain(messages), messages))).toEqual(joined(messages));
      }),
      { numRuns: 20 },
    );
  });

  test('with the right one of several results with the same id cleared', () => {
    const messages = transcript(
      user('go'),
      call('a', 'read', { path: 'one' }),
      result('a', 'first'),
      call('a', 'read', { path: 'two' }),
      result('a', 'second', { isError: true }),
    );
    const chain = toLangChain(messages).map((one) =>
      ToolMessage.isInstance(one)
        ? new ToolMessage({ tool_call_id: one.tool_call_id, content: '[cleared]' })
        : one,
    );
    const [, , first, , second] = fromLangChain(chain, messages);
    expect(first).toMatchObject({ content: [{ output: '[cleared]' }] });
    expect(first).not.toMatchObject({ content: [{ isError: true }] });
    expect(second).toMatchObject({ content: [{ output: '[cleared]', isError: true }] });
  });
});

describe('the messages that LangChain’s trimMessages gets are enough', () => {
  /** Like the candidate, but gets all messages. */
  async function trimmed(messages: readonly Message[], budget: number): Promise<Message[]> {
    const tokens = new Map(
      messages.flatMap((message, index) =>
        message.role === 'tool'
          ? toLangChain([message]).map((one, part): [string, number] => [
              `${index}:${part}`,
              tokensOf.text(one.name ?? '') + tokensOf.text(String(one.content)),
            ])
          : [[String(index), tokensOf(message)] as [string, number]],
      ),
    );
    const left = await trimMessages(toLangChain(messages), {
      maxTokens: budget,
      tokenCounter: (counted: BaseMessage[]) =>
        counted.reduce((sum, { id }) => sum + (tokens.get(id ?? '') ?? 0), 0),
      strategy: 'last',
      startOn: 'human',
      includeSystem: true,
    });
    return fromLangChain(left, messages);
  }

  const name = 'LangChain trimMessages';

  test('on arbitrary ones, with prompts of the system in between', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryTranscript, fc.nat({ max: 400 }), async (arbitrary, budget) => {
        const messages = repaired(arbitrary);
        expect((await compress(name, messages, budget)).messages).toEqual(await trimmed(messages, budget));
      }),
      { numRuns: 14 },
    );
  });
});

test('LangChain’s ClearToolUsesEdit clears as many of the oldest results as necessary', async () => {
  const messages = codingSession(6);
  const size = messages.reduce((sum, one) => sum + tokensOf(one), 0);
  const { messages: left } = await compress('LangChain ClearToolUsesEdit', messages, Math.floor(size * 0.7));
  const cleared = left.map(({ content }) => JSON.stringify(content).includes('[cleared]'));
  expect(left).toHaveLength(messages.length);
  // Results stand at 3, 7, 11, 15, 19 and 23; three are kept.
  expect(cleared.flatMap((is, index) => (is ? [index] : []))).toEqual([3, 7, 11]);
});

test('the AI SDK’s pruneMessages removes calls before the newest messages', async () => {
  const messages = codingSession(6);
  const { messages: left } = await compress('AI SDK pruneMessages', messages, 1_200);
  const results = left.flatMap((message) =>
    message.role === 'tool' ? message.content.map(({ toolCallId }) => toolCallId) : [],
  );
  expect(results).toEqual(['c4', 'c5']);
  expect(left.filter(({ role }) => role === 'user')).toEqual(messages.filter(({ role }) => role === 'user'));
});
