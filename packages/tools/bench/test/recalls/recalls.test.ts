import { type Message, messageText, toolCallsOf } from '@ctx/core';
import { assistant, call, result, transcript, user } from '@ctx/testing';
import { type Candidate, reducing } from '../../src/candidates/candidate.js';
import type { BenchSession, Chat } from '../../src/index.js';
import { measureChatRecalls, measureCutRecalls, recallTables, replayWithRecall } from '../../src/index.js';
import { codingSession, countWords as tokensOf } from '../small-cut.js';

const common = new Set<string>();
const session: BenchSession = { id: 'one', source: 'made', model: {}, messages: codingSession(16) };

/** Long enough to be cut. */
const long: BenchSession = { ...session, messages: codingSession(60) };

/** Keeps the newest messages that fit, from a message of the user on. */
const newest: Candidate = reducing('newest', 'baseline', (messages, budget) => {
  const kept = [...messages];
  while (kept.length > 2 && kept.reduce((sum, one) => sum + tokensOf(one), 0) > budget) {
    kept.splice(1, 1);
    while (kept.length > 2 && kept[1]?.role !== 'user') kept.splice(1, 1);
  }
  return kept;
});

/** What recall finds in the cuts of it. */
const foundInLong = (() => {
  let found: ReturnType<typeof measureCutRecalls> | undefined;
  return () => (found ??= measureCutRecalls(long, newest, { tokensOf, common }));
})();

describe('recall in cuts', () => {
  test('finds by handle all of what a view misses, and more as written than blind', async () => {
    const found = await foundInLong();
    expect(found.length).toBeGreaterThan(0);
    const mean = (query: string, limit: number) => {
      const all = found.filter((one) => one.query === query && one.limit === limit);
      return all.reduce((sum, one) => sum + one.found, 0) / all.length;
    };
    expect(mean('by handle', 500)).toBe(100);
    expect(mean('as written', 1_000)).toBe(100);
    expect(mean('blind', 500)).toBeLessThan(mean('as written', 500));
    expect(mean('before the step', 500)).toBeLessThan(mean('as written', 500));
    expect(found.every(({ missed }) => missed > 0)).toBe(true);
  });

  test('is not measured where a view misses nothing', async () => {
    const all: Candidate = reducing('all', 'baseline', (messages) => messages);
    expect(await measureCutRecalls(long, all, { tokensOf, common })).toEqual([]);
  });
});

describe('recall in a replay', () => {
  const limit = 900;

  test('lowers the misses, is counted and costs its tokens', async () => {
    const found = await replayWithRecall(session, newest, { limit, tokensOf, common, recallTokens: 200 });
    expect(found).toMatchObject({ requests: 32, overflows: 0, invalid: 0, recallTokens: 200 });
    const { recalls = 0, misses = 0, missesBefore = 0, cost = 0 } = found ?? {};
    expect(recalls).toBeGreaterThan(3);
    expect(recalls).toBeLessThanOrEqual(16);
    expect(misses).toBeLessThan(missesBefore);
    const larger = await replayWithRecall(session, newest, { limit, tokensOf, common, recallTokens: 400 });
    expect(larger?.cost).toBeGreaterThan(cost);
  });

  test('asks once before a step that lacks something, without the words that it lacks', async () => {
    const asked: Message[] = [];
    const watching: Candidate = {
      ...newest,
      replay: (task) => {
        const replayed = newest.replay?.(task);
        if (replayed === undefined) throw new Error('No replay.');
        return {
          view: () => replayed.view(),
          append: (message) => {
            asked.push(message);
            replayed.append(message);
          },
        };
      },
    };
    const found = await replayWithRecall(session, watching, { limit, tokensOf, common });
    const calls = asked.flatMap(toolCallsOf).filter(({ toolName }) => toolName === 'recall');
    expect(calls).toHaveLength(found?.recalls ?? -1);
    for (const { toolCallId, input } of calls) {
      const at = asked.findIndex((message) =>
        toolCallsOf(message).some((one) => one.toolCallId === toolCallId),
      );
      const answer = asked[at + 1] as Message;
      expect(answer.role).toBe('tool');
      // The step itself comes after the answer; what it lacked is in the step, not in the question.
      const step = asked[at + 2] as Message;
      expect(step.role).toBe('assistant');
      const { query } = input as { query: string };
      expect(messageText(step)).not.toBe('');
      expect(query).not.toBe(messageText(step));
    }
    // What was said is appended as it was, in its order.
    expect(asked.filter((message) => session.messages.includes(message))).toEqual(session.messages);
  });

  test('asks in the messages whose sources the view names', async () => {
    const messages = transcript(
      user('Read the settings.'),
      call('a', 'read', { path: 'src/settings.ts' }),
      result('a', `const portNumber = 4711;\n${'filler words here\n'.repeat(60)}`),
      assistant('I have read it.'),
      user('Go on with src/settings.ts, please.'),
      assistant('It is portNumber that counts.'),
    );
    const inputs: unknown[] = [];
    const forgetful: Candidate = reducing('forgetful', 'baseline', (all) => all.slice(-1));
    const watching: Candidate = {
      ...forgetful,
      replay: (task) => {
        const replayed = forgetful.replay?.(task);
        return {
          view: async () => (await replayed?.view()) ?? [],
          append: (message) => {
            inputs.push(
              ...toolCallsOf(message).flatMap(({ toolName, input }) =>
                toolName === 'recall' ? [input] : [],
              ),
            );
            replayed?.append(message);
          },
        };
      },
    };
    const made = { id: 'one', source: 'made', model: {}, messages };
    const found = await replayWithRecall(made, watching, { limit: 60, tokensOf, common });
    expect(inputs).toContainEqual({ ref: '#m3', query: expect.not.stringContaining('portNumber') });
    expect(found).toMatchObject({ recalls: inputs.length });
  });

  test('is not measured where a session fits', async () => {
    const options = { limit: 1_000_000, tokensOf, common };
    expect(await replayWithRecall(session, newest, options)).toBeUndefined();
  });
});

test('in chats a question is recalled in its own words', async () => {
  const turns = Array.from({ length: 60 }, (_, at) => ({
    id: String(at),
    speaker: at % 2 === 0 ? 'Ada' : 'Ben',
    text: at === 3 ? 'The picnic was moved to Greenfield.' : `Small talk number ${at} about the weather.`,
  }));
  const chat: Chat = {
    id: 'c',
    source: 'made',
    turns,
    questions: [{ question: 'Where is the picnic?', answer: 'Greenfield', evidence: ['3'] }],
  };
  const found = await measureChatRecalls([chat], newest, { tokensOf, recallTokens: 200 });
  expect(found.map(({ form, share }) => [form, share])).toContainEqual(['roles', 0.25]);
  for (const { before, after } of found) expect([before, after]).toEqual([0, 100]);
  const [table] = recallTables([], [], found);
  expect(table?.rows[0]?.slice(1, 4)).toEqual(['0.0', '100.0', '100.0']);
});

test('tables say what was measured, and leave out what was not', async () => {
  const cuts = await foundInLong();
  const replayed = await replayWithRecall(session, newest, { limit: 900, tokensOf, common });
  const tables = recallTables(cuts, replayed === undefined ? [] : [replayed], []);
  expect(tables.map(({ title }) => title)).toEqual([
    'What recall finds of what a view misses',
    'Replay with at most one recall before each step',
  ]);
  for (const { columns, rows } of tables) for (const row of rows) expect(row).toHaveLength(columns.length);
  expect(recallTables([], [], [])).toEqual([]);
});
