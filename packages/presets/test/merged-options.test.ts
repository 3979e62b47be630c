import type { Config, Message } from '@ctx/core';
import { createContextManager } from '@ctx/presets';
import { call, result, transcript, user, wordCounter, words } from '@ctx/testing';

const managerWith = (messages: readonly Message[], config: Config) => {
  const manager = createContextManager({
    counter: wordCounter,
    config: { contextWindow: 100_000, throttleMs: 0, ...config },
  });
  for (const message of messages) manager.append(message);
  return manager;
};

const reads = Array.from({ length: 8 }, (_, index) =>
  transcript(
    call(`r${index}`, 'Read', { file_path: 'a.ts' }),
    result(`r${index}`, words(30, `v${index}`), { createdAt: 0 }),
    call(`b${index}`, 'Bash', { command: `make ${index}` }),
    result(`b${index}`, words(30, `o${index}`), { createdAt: 0 }),
  ),
).flat();

test.each<[string, Record<string, unknown>]>([
  ['none', {}],
  ['another number of reads', { reads: { keep: 1 } }],
  ['another age of terminal output', { terminal: { olderThanMinutes: 1 } }],
  ['a rule without options', { reads: {}, terminal: {}, duplicates: {} }],
])('the options of tool-results do not change its language: %s', async (_title, options) => {
  const manager = managerWith([user('go'), ...reads], { options: { 'tool-results': options } });
  const { record } = await manager.compress({ strategy: 'tool-results', targetTokens: 0 });
  const texts = record?.edits.map((edit) => (edit.type === 'replace' ? edit.text : '')) ?? [];
  expect(new Set(texts)).toEqual(
    new Set([
      '[An older read of this file was cleared: see its newest read]',
      '[The output of this command is out of date and was cleared]',
    ]),
  );
});

test('and for Snow it speaks as Snow does', async () => {
  const snow = Array.from({ length: 7 }, (_, index) =>
    transcript(
      call(`${index}`, 'filesystem-read', { filePath: 'a' }),
      result(`${index}`, words(30, `v${index}`)),
    ),
  ).flat();
  const manager = managerWith([user('go'), ...snow], { options: { 'tool-results': { agent: 'snow' } } });
  const { record } = await manager.compress({ strategy: 'tool-results', targetTokens: 0 });
  const gone = { text: '[该文件的历史读取内容已压缩,请参看最新读取结果]' };
  expect(record?.edits).toMatchObject([gone, gone]);
});
