import type { Message, SummarizeRequest } from '@ctx/core';
import { assistant, call, deepFreeze, result, transcript, user, words } from '@ctx/testing';
import { createSummarizer, type SummarizerOptions } from '../src/index.js';
import { answering, requestFor } from './condensing.js';

const stub = () => answering('They built a service, and it runs.');

const summarize = (
  messages: readonly Message[],
  options: SummarizerOptions = {},
  more: Partial<SummarizeRequest> = {},
) => createSummarizer({ model: stub().model, ...options }).summarize(requestFor(deepFreeze(messages), more));

const work = transcript(
  user('必须使用 MongoDB 数据库'),
  assistant(words(60, 'plan')),
  user('添加用户认证功能, and always log in English.'),
  call('1', 'write', { path: 'src/auth.ts', content: 'x' }),
  result('1', 'written'),
  call('2', 'bash', { command: 'npm test' }),
  result('2', 'TypeError: token is undefined'),
  call('3', 'TodoWrite', { todos: [{ content: 'hash the passwords', status: 'pending' }] }),
  result('3', 'ok'),
  user('ok'),
);

test('directives of the first message always stay, in a separate block', async () => {
  const [first, ...rest] = work;
  const directed = [user(`<command name="style">be brief</command> ${String(first?.content)}`), ...rest];
  const { text } = await summarize(directed);
  expect(text).toContain(
    '<system-reminder>\n## Active Workflows\nThe following directives must be maintained across all future condensings:\n<command name="style">be brief</command>\n</system-reminder>',
  );
});

test('files that were read are folded, newest first, in one block each', async () => {
  const reads = transcript(
    call('1', 'read', { path: 'a.ts' }),
    result('1', 'A'),
    call('2', 'read', { path: 'b.ts' }),
    result('2', 'B'),
    call('3', 'read', { path: 'c.ts' }),
    result('3', 'gone', { isError: true }),
    assistant(words(50)),
  );
  const folder = {
    fold: async ({ paths, text }: { paths: readonly string[]; text: string }) => {
      if (text === 'A')
        return `[note]\n<system-reminder>\n## File Context: ${paths}\nclass A\n</system-reminder>`;
      return `<system-reminder>\n## File Context: ${paths}\nclass B\n</system-reminder>`;
    },
  };
  const { text } = await summarize(reads, {}, { folder });
  expect(text.indexOf('## File Context: b.ts')).toBeGreaterThan(0);
  expect(text.indexOf('## File Context: a.ts')).toBeGreaterThan(text.indexOf('## File Context: b.ts'));
  expect(text).not.toContain('[note]');
  expect(text).not.toContain('## File Context: c.ts');
  const broken = { fold: () => Promise.reject(new Error('no grammar')) };
  expect((await summarize(reads, {}, { folder: broken })).text).not.toContain('File Context');
});

test('environment details are appended to automatic summaries, but not to requested ones', async () => {
  const environmentDetails = () => 'Open file: src/app.ts';
  expect((await summarize(work, { environmentDetails })).text).toMatch(/Open file: src\/app\.ts$/);
  expect((await summarize(work, { environmentDetails }, { automatic: false })).text).not.toContain(
    'Open file',
  );
});

test('the order is: the summary, directives, files, environment details', async () => {
  const messages = [
    user('<command>x</command> You must use tabs.'),
    ...transcript(call('1', 'read', { path: 'a.ts' }), result('1', 'A')),
    assistant(words(40)),
  ];
  const folder = {
    fold: async () => '<system-reminder>\n## File Context: a.ts\nclass A\n</system-reminder>',
  };
  const { text } = await summarize(messages, { environmentDetails: () => 'Surroundings.' }, { folder });
  const places = ['## Conversation Summary', '## Active Workflows', '## File Context', 'Surroundings.'].map(
    (piece) => text.indexOf(piece),
  );
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places.every((place) => place >= 0)).toBe(true);
});

test('without a model only what is appended is there, and nothing to append is no summary', async () => {
  const environmentDetails = () => 'Open file: src/app.ts';
  const given = createSummarizer({ environmentDetails });
  expect([given.asks?.(100_000), createSummarizer().asks?.(100_000)]).toEqual([true, false]);
  const { text } = await summarize(work, { model: undefined, environmentDetails });
  expect(text).toBe('## Conversation Summary\nOpen file: src/app.ts');
  await expect(summarize(work, { model: undefined })).rejects.toMatchObject({
    code: 'summary-failed',
    message: expect.stringContaining('the summary is empty'),
  });
});

test('the built-in prompt asks for what an agent needs that carries on', async () => {
  const { model, asked } = stub();
  await summarize(work, { model });
  const { system = '' } = asked[0] ?? {};
  for (const part of [
    'User Instructions',
    'Facts',
    'Files and Code',
    'Errors and Fixes',
    'Decisions',
    'State',
  ])
    expect(system).toContain(`## ${part}`);
  expect(system).toMatch(/superseded/);
  expect(system).toMatch(/next step/i);
});

test('the caller’s prompt and instructions reach the model', async () => {
  const { model, asked } = stub();
  await summarize(work, { model, prompt: 'In three lines.' }, { instructions: 'keep the names' });
  expect(asked[0]?.system).toBe('In three lines.');
  expect(asked[0]?.user).toContain(
    'At most 400 tokens, which are some 280 words.\nWhat the person who asked for it wants: keep the names\n',
  );
  expect(asked[0]?.user).toMatch(/### Message #1, user \[[0-9a-f]{8}\]\n必须使用 MongoDB 数据库/);
});

test('a function that answers a prompt can be the model', async () => {
  const asked: { prompt: string; maxTokens: number }[] = [];
  const { text, notes } = await summarize(work, {
    model: async (prompt, { maxTokens }) => {
      asked.push({ prompt, maxTokens });
      return 'They built a service.';
    },
  });
  expect(text).toContain('They built a service.');
  expect(notes).toMatchObject({ by: 'model', calls: 1 });
  expect(asked[0]?.prompt).toMatch(/^You sum up the work[\s\S]+必须使用 MongoDB 数据库/);
  expect(asked[0]?.maxTokens).toBe(400);
});
