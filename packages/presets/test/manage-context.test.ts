import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message } from '@ctx/core';
import { manageContext, truncateConversation, willManageContext } from '@ctx/presets';
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
import fc from 'fast-check';

/** User messages of so many words. The last but one is an answer, so that those before it are read. */
const said = (count: number, length: number) =>
  Array.from({ length: count }, (_, at) => (at === count - 2 ? assistant : user)(`${words(length)} ${at}`));

describe('willManageContext', () => {
  const window = { contextWindow: 200_000, autoCondenseContextPercent: 90 };
  test.each([
    ['just below the percentage and what is allowed', { totalTokens: 175_904 }, false],
    ['more than what is allowed', { totalTokens: 175_905 }, true],
    ['at the percentage', { totalTokens: 100_000, autoCondenseContextPercent: 50 }, true],
    ['below the percentage', { totalTokens: 99_999, autoCondenseContextPercent: 50 }, false],
    ['at 75 percent by default', { totalTokens: 150_000, autoCondenseContextPercent: undefined }, true],
    ['a larger reserve', { totalTokens: 160_000, maxTokens: 30_000 }, true],
    ['that of a profile', { totalTokens: 20_000, currentProfileId: 'a', profileThresholds: { a: 10 } }, true],
    ['a profile of -1', { totalTokens: 20_000, currentProfileId: 'a', profileThresholds: { a: -1 } }, false],
    ['a wrong profile', { totalTokens: 20_000, currentProfileId: 'a', profileThresholds: { a: 3 } }, false],
  ])('%s', (_title, options, expected) => {
    expect(willManageContext({ ...window, ...options })).toBe(expected);
  });

  test('a window as small as the reserve is not managed at all times', () => {
    expect(willManageContext({ contextWindow: 4_096, totalTokens: 100 })).toBe(false);
  });
});

describe('manageContext', () => {
  const messages = deepFreeze(said(40, 40));

  test('compresses a large one, and says how large it was', async () => {
    const options = { messages, contextWindow: 2_000, maxTokens: 100, systemPrompt: 'be kind' };
    const managed = await manageContext(options);
    expect(managed.status).toBe('compressed');
    expect(managed.messages.length).toBeLessThan(40);
    expect(managed.messages.filter((message) => !messages.includes(message))).toHaveLength(1);
    expect(managed.summary).toMatch(/^\[Excerpt of what was said before/);
    expect(managed.record?.tokensBefore).toBeGreaterThan(1_500);
    expect(managed.totalTokens).toBeLessThan(1_500);
  });

  test('lets a given model write the summary, with the caller’s prompt and surroundings', async () => {
    const asked: string[] = [];
    const options = { messages, contextWindow: 9_000, autoCondenseContextPercent: 10 };
    const said = 'They talked about words, and it went well.';
    const managed = await manageContext({
      ...options,
      customCondensingPrompt: 'in three lines',
      environmentDetails: 'cwd: src',
      chatModel: {
        name: 'stub',
        complete: async ({ system: prompt }) => {
          asked.push(prompt);
          return { text: said, stopReason: 'stop' };
        },
      },
    });
    expect(asked).toEqual(['in three lines']);
    expect(managed.summary).toMatch(
      /^## Conversation Summary\nThey talked about words[\s\S]*cwd: src\n\n\[Excerpt of/,
    );
    // A function is a model, too.
    const byFunction = await manageContext({ ...options, chatModel: async () => said });
    expect(byFunction.summary).toContain(said);
    expect(byFunction.usage).toMatchObject({ calls: 1 });
  });

  test.each([
    ['an unknown option', { custmCondensingPrompt: 'x' }, 'custmCondensingPrompt', 'customCondensingPrompt'],
    ['a model that completes nothing', { chatModel: { name: 'x' } }, 'chatModel', 'complete(request)'],
  ])('%s is refused, with what to do', async (_what, wrong, place, remedy) => {
    const managed = manageContext({ messages, contextWindow: 9_000, ...wrong } as never);
    await expect(managed).rejects.toMatchObject({ code: 'config-invalid', place });
    await expect(managed).rejects.toThrow(remedy);
  });

  test.each([undefined, null, 5, 'options'])('willManageContext refuses %p in place of options', (wrong) => {
    expect(() => willManageContext(wrong as never)).toThrow(
      expect.objectContaining({ code: 'config-invalid', place: 'willManageContext', value: wrong }),
    );
  });

  test.each([
    ['contextWindow', undefined],
    ['contextWindow', -1],
    ['totalTokens', '900'],
    ['maxTokens', Number.NaN],
    ['autoCondenseContextPercent', 0],
    ['autoCondenseContextPercent', 101],
    ['autoCondenseContextPercnt', 10],
  ])('willManageContext refuses a %s of %p', (place, value) => {
    const wrong = { contextWindow: 9_000, totalTokens: 5, [place]: value };
    expect(() => willManageContext(wrong as never)).toThrow(
      expect.objectContaining({ code: 'config-invalid', place, value }),
    );
  });

  test('truncates if the model fails, and says why', async () => {
    const complete = () => Promise.reject(new Error('gone'));
    const options = { messages, contextWindow: 9_000, autoCondenseContextPercent: 10 };
    const managed = await manageContext({ ...options, chatModel: { name: 'stub', complete } });
    expect(managed.summary).toBeUndefined();
    expect(managed.condenseError).toMatch(/gone/);
    expect(managed.messages.every((message) => messages.includes(message))).toBe(true);
    expect(managed.messages.length).toBeLessThan(40);
  });

  test('when disabled, it summarises nothing and truncates only what exceeds the allowed tokens', async () => {
    const disabled = { messages, autoCondenseContext: false, maxTokens: 100, autoCondenseContextPercent: 10 };
    const fits = await manageContext({ ...disabled, contextWindow: 9_000 });
    expect(fits).toMatchObject({ status: 'unchanged', messages });
    const over = await manageContext({ ...disabled, contextWindow: 1_500 });
    expect(over.summary).toBeUndefined();
    expect(over.messages.length).toBeLessThan(40);
    expect(
      willManageContext({
        contextWindow: 10_000,
        totalTokens: 4_000,
        autoCondenseContextPercent: 10,
        autoCondenseContext: false,
      }),
    ).toBe(false);
  });
});

describe('what a model used is reported', () => {
  const messages = said(40, 40);
  const options = { messages, contextWindow: 9_000, autoCondenseContextPercent: 10 };
  const usage = { inputTokens: 900, outputTokens: 30 };
  const answering = (text: string) => ({
    name: 'stub',
    complete: async () => ({ text, stopReason: 'stop' as const, usage, cost: 0.25 }),
  });

  test('for a summary, and for one that was of no use', async () => {
    const used = { calls: 1, inputTokens: 900, outputTokens: 30, cost: 0.25 };
    const good = await manageContext({ ...options, chatModel: answering('They talked about many words.') });
    expect(good).toMatchObject({ usage: used });
    const failed = await manageContext({ ...options, chatModel: answering('') });
    expect(failed.condenseError).toMatch(/empty/);
    expect(failed.usage).toEqual(used);
  });

  test('but not if it was not asked', async () => {
    const managed = await manageContext({ ...options, contextWindow: 90_000, chatModel: answering('x') });
    expect(managed).not.toHaveProperty('usage');
  });
});

describe('the files of a project', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'ctx-presets-'));
  writeFileSync(join(cwd, 'app.ts'), 'export class App {\n  run() {\n    return 1;\n  }\n}\n');
  writeFileSync(join(cwd, 'secret.ts'), 'export class Secret {}\n');
  const messages = said(60, 80);
  const window = { contextWindow: 20_000, autoCondenseContextPercent: 10 };
  const options = { messages, ...window, environmentDetails: 'os: any' };

  test('that were read are named at the end of the summary, except those that are ignored', async () => {
    const { summary } = await manageContext({
      ...options,
      cwd,
      filesReadByRoo: ['app.ts', 'secret.ts', 'gone.ts'],
      rooIgnoreController: { isIgnored: (path) => path === 'secret.ts' },
      fileFoldingOptions: { maxTokens: 500 },
    });
    expect(summary).toMatch(/## File Context: app\.ts\nclass App[\s\S]*os: any\n\n\[Excerpt of/);
    expect(summary).not.toContain('Secret');
  });

  test('need its folder', async () => {
    await expect(manageContext({ ...options, filesReadByRoo: ['app.ts'] })).rejects.toMatchObject({
      code: 'config-invalid',
      place: 'filesReadByRoo',
    });
  });

  test('smart truncation takes options of its own', async () => {
    const smartTruncationOptions = { middlePercentileStart: 90, middlePercentileEnd: 10 };
    const managed = manageContext({ ...options, smartTruncationOptions });
    await expect(managed).rejects.toThrow(/middlePercentileEnd/);
  });
});

test.each([-1, 1.5, Number.NaN, '0.5'])('truncateConversation refuses a fraction of %p', (value) => {
  const refused = expect.objectContaining({ code: 'config-invalid', place: 'fraction', value });
  expect(() => truncateConversation([], value as never)).toThrow(refused);
});

test.each([[undefined], [null], [7], ['text'], [{}]])(
  '%p is refused as a list of messages',
  async (messages) => {
    const refused = expect.objectContaining({ code: 'message-invalid', place: 'messages' });
    expect(() => truncateConversation(messages as never)).toThrow(refused);
    const managed = manageContext({ messages: messages as never, contextWindow: 1_000 });
    await expect(managed).rejects.toEqual(refused);
  },
);

describe('truncateConversation', () => {
  test('drops an even number of the oldest after the first', () => {
    const messages = Array.from({ length: 8 }, (_, at) => (at % 2 ? assistant(`${at}`) : user(`${at}`)));
    expect(truncateConversation(messages)).toEqual([messages[0], ...messages.slice(3)]);
    expect(truncateConversation(messages, 0.9)).toEqual([messages[0], ...messages.slice(7)]);
    expect(truncateConversation(messages, 0.1)).toEqual(messages);
  });

  test('keeps system messages, and does not separate a call from its result', () => {
    const work = [assistant('well'), call('a', 'read'), result('a', 'A'), assistant('done')];
    const messages = transcript(system('be kind'), user('fix it'), ...work);
    expect(truncateConversation(messages)).toEqual(messages.filter(({ content }) => content !== 'well'));
  });

  test('leaves what another truncation accepts, whatever the conversation', () => {
    fc.assert(
      fc.property(arbitraryTranscript, fc.double({ min: 0, max: 1, noNaN: true }), (messages, fraction) => {
        const once = truncateConversation(messages, fraction);
        expect(() => truncateConversation(once, fraction)).not.toThrow();
        const prompts = (all: readonly Message[]) => all.filter(({ role }) => role === 'system');
        expect(prompts(once)).toEqual(prompts(messages));
      }),
    );
  });
});
