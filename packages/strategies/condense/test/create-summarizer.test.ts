import type { Message, SummarizeRequest } from '@ctx/core';
import { assistant, call, deepFreeze, result, transcript, user, wordCounter, words } from '@ctx/testing';
import { type ChatModel, createSummarizer, type SummarizerOptions } from '../src/index.js';
import type { Receipt } from '../src/receipt.js';

const tokensOf = (text: string) => wordCounter.count(text);
const stub: ChatModel = {
  name: 'stub',
  complete: async () => ({ text: 'They built a service, and it runs.', stopReason: 'stop' }),
};

function summarize(
  messages: readonly Message[],
  options: SummarizerOptions = {},
  more: Partial<SummarizeRequest> = {},
) {
  deepFreeze(messages);
  return createSummarizer({ model: stub, ...options }).summarize({
    messages,
    originals: messages.map((message, index) => ({ message, number: index + 1 })),
    maxTokens: 400,
    contextWindow: 100_000,
    automatic: true,
    tokensOf,
    signal: new AbortController().signal,
    ...more,
  });
}

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

test('an answer that would save too little is returned at once, and nothing else is made of it', async () => {
  const answer = words(300, 'talk');
  const counted: string[] = [];
  const judging = (isEnough: boolean): Partial<SummarizeRequest> => ({
    savesEnough: async (text) => text === answer && isEnough,
    tokensOf(text) {
      counted.push(text);
      return tokensOf(text);
    },
  });
  const model: ChatModel = { name: 'talker', complete: async () => ({ text: answer, stopReason: 'stop' }) };
  const { text, notes } = await summarize(work, { model }, judging(false));
  expect(text).toBe(answer);
  expect(notes).toMatchObject({ by: 'talker', calls: 1 });
  expect(counted.filter((one) => one.includes(answer))).toEqual([]);
  expect((await summarize(work, { model }, judging(true))).text).toContain('src/auth.ts');
});

describe.each<[string, ChatModel | undefined]>([
  ['a model that forgets them', stub],
  ['extraction', undefined],
])('by %s', (_how, model) => {
  test('the user’s instructions, changed files, open points and open errors are not lost', async () => {
    const { text, notes } = await summarize(work, { model });
    expect(text).toContain('必须使用 MongoDB 数据库');
    expect(text).toContain('添加用户认证功能, and always log in English.');
    expect(text).toContain('src/auth.ts');
    expect(text).toContain('- [ ] hash the passwords');
    expect(text).toContain('TypeError: token is undefined');
    const { receipt } = notes as {
      receipt: { required: number; present: number; added: number; leftOut: unknown };
    };
    expect(receipt.required).toBe(5);
    expect(receipt.present + receipt.added).toBe(5);
    expect(receipt.leftOut).toEqual({});
  });

  test('a message that only says to continue is not an instruction', async () => {
    expect((await summarize(work, { model })).text).not.toContain('"ok"');
  });

  test('it keeps to the given length', async () => {
    const long = [
      ...work,
      ...Array.from({ length: 40 }, (_, index) => user(`You must ${words(20, `rule${index}`)}.`)),
    ];
    for (const maxTokens of [60, 120, 400, 1000]) {
      const { text } = await summarize(long, { model }, { maxTokens });
      expect(tokensOf(text)).toBeLessThanOrEqual(maxTokens + 3);
    }
  });
});

const rules = (count: number) =>
  Array.from({ length: count }, (_, index) => user(`You must ${words(20, `rule${index}`)}.`));

test('if room is short, the receipt says how many were left out, and names those that this summary loses', async () => {
  const { notes } = await summarize(rules(30), {}, { maxTokens: 120 });
  const { receipt } = notes as { receipt: Receipt };
  expect(receipt.required).toBe(30);
  expect(receipt.added).toBe(4);
  expect(receipt.leftOut).toEqual({ instruction: 26 });
  expect(receipt.lost).toHaveLength(26);
  expect(receipt.lost[0]).toEqual({ kind: 'instruction', number: 5 });
});

test('the receipt does not name entries again that an earlier summary had already lost', async () => {
  const said = rules(30);
  const first = await summarize(said, {}, { maxTokens: 120 });
  const earlier: Message = { ...user(first.text), summary: true };
  const originals = [...said, ...rules(31).slice(30)].map((message, index) => ({
    message,
    number: index + 1,
  }));
  const newest = originals[30]?.message as Message;
  const { notes } = await summarize([], {}, { maxTokens: 90, messages: [earlier, newest], originals });
  const { receipt } = notes as { receipt: Receipt };
  expect(receipt.added).toBe(2);
  expect(receipt.leftOut).toEqual({ instruction: 29 });
  expect(receipt.lost.map(({ number }) => number)).toEqual([3, 4, 31]);
});

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

test('the order is: the summary, the ledger, directives, files, environment details', async () => {
  const messages = [
    user('<command>x</command> You must use tabs.'),
    ...transcript(call('1', 'read', { path: 'a.ts' }), result('1', 'A')),
    assistant(words(40)),
  ];
  const folder = {
    fold: async () => '<system-reminder>\n## File Context: a.ts\nclass A\n</system-reminder>',
  };
  const { text } = await summarize(messages, { environmentDetails: () => 'Surroundings.' }, { folder });
  const places = [
    '## Conversation Summary',
    'word for word',
    '## Active Workflows',
    '## File Context',
    'Surroundings.',
  ].map((piece) => text.indexOf(piece));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places.every((place) => place >= 0)).toBe(true);
});

test('the caller’s prompt and instructions reach the model', async () => {
  const asked: { system: string; user: string }[] = [];
  const model: ChatModel = {
    name: 'listening',
    complete: async (request) => {
      asked.push(request);
      return { text: 'They built a service.', stopReason: 'stop' };
    },
  };
  await summarize(work, { model, prompt: 'In three lines.' }, { instructions: 'keep the names' });
  expect(asked[0]?.system).toBe('In three lines.');
  expect(asked[0]?.user).toContain('keep the names');
  expect(asked[0]?.user).toMatch(/### Message #1, user \[[0-9a-f]{8}\]\n必须使用 MongoDB 数据库/);
});

test('the cost is noted', async () => {
  const model: ChatModel = {
    name: 'paid',
    complete: async () => ({
      text: 'They built it.',
      stopReason: 'stop',
      usage: { inputTokens: 7, outputTokens: 3 },
      cost: 0.5,
    }),
  };
  expect((await summarize(work, { model })).notes).toMatchObject({
    by: 'paid',
    calls: 1,
    inputTokens: 7,
    outputTokens: 3,
    cost: 0.5,
  });
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
  expect(asked[0]?.prompt).toMatch(/^You sum up a conversation[\s\S]+必须使用 MongoDB 数据库/);
  expect(asked[0]?.maxTokens).toBeLessThan(400);
});

test('a model is asked with the prompt of the given name', async () => {
  const systems: string[] = [];
  const model: ChatModel = {
    name: 'stub',
    complete: async ({ system }) => {
      systems.push(system);
      return { text: 'They built a service, and it runs.', stopReason: 'stop' };
    },
  };
  for (const prompt of ['structured', 'short', 'In three lines.']) await summarize(work, { model, prompt });
  expect(systems).toEqual([
    expect.stringMatching(/^Your task is to create/),
    expect.stringMatching(/^Please provide a concise/),
    'In three lines.',
  ]);
});
