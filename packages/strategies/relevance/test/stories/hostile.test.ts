import { anthropicCodec } from '@ctx/codec-anthropic';
import { openaiCodec } from '@ctx/codec-openai';
import { ContextManager, type Message, messageText, type TokenCounter, toolCallsOf } from '@ctx/core';
import type { excerptSections } from '@ctx/excerpt';

type ExcerptSection = ReturnType<typeof excerptSections>[number];

import { assistant, call, result, system, transcript, user, words } from '@ctx/testing';
import { type Compressed, compressAgain, expectWordForWord, linesIn } from '../compressing.js';

/** Counts a token for every four UTF-16 units, which is quick for any text. */
const byLength: TokenCounter = { count: (text) => Math.ceil(text.length / 4) };

async function compressedByLength(
  messages: readonly Message[],
  targetTokens: number,
  contextWindow: number,
): Promise<Compressed> {
  const manager = new ContextManager({
    counter: byLength,
    config: { contextWindow, reserve: 0, minMessagesToKeep: 1, throttleMs: 0 },
  });
  for (const message of messages) manager.append(message);
  return compressAgain(manager, targetTokens);
}

/** Expects that the compression ends, that the result is smaller and valid, and that it contains only text of the conversation. */
async function expectSane(
  messages: readonly Message[],
  targetTokens: number,
  contextWindow = 1_000_000_000,
): Promise<Compressed> {
  const made = await compressedByLength(messages, targetTokens, contextWindow);
  const { view, record } = made;
  for (const stage of record?.stages ?? []) expect(stage.error).toBeUndefined();
  expect(openaiCodec.validate(openaiCodec.fromMessages(view))).toEqual([]);
  expect(anthropicCodec.validate(anthropicCodec.fromMessages(view))).toEqual([]);
  expectWordForWord(made);
  expectNumbers(record?.stages.map(({ notes }) => notes));
  return made;
}

function expectNumbers(value: unknown): void {
  if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true);
  else if (typeof value === 'object' && value !== null) Object.values(value).forEach(expectNumbers);
}

/** An old result: other messages follow it. */
function old(output: string): Message[] {
  return transcript(
    user('look'),
    call('1', 'bash', { command: 'cat log' }),
    result('1', output),
    assistant('I see.'),
    user('And what is next?'),
  );
}

/** A result that is the newest message. */
function newest(output: string): Message[] {
  return transcript(user('look'), call('1', 'bash', { command: 'cat log' }), result('1', output));
}

const numbers = (count: number, line: (index: number) => string, joint = '\n') =>
  Array.from({ length: count }, (_, index) => line(index)).join(joint);

const hostile: Readonly<Record<string, () => string>> = {
  'one line of 2 MB': () => 'abcdefghij'.repeat(200_000),
  'one line of 1 MB with words': () => numbers(100_000, (index) => `item${index % 5_000} x`, ' '),
  '100,000 lines': () => numbers(100_000, (index) => `line ${index % 1_000} is ok`),
  '50,000 distinct terms': () =>
    numbers(5_000, (line) => numbers(10, (index) => `name_${line}_${index}`, ' ')),
  'JSON that is nested 10,000 deep': () => `${'{"a":['.repeat(10_000)}1${']}'.repeat(10_000)}`,
  'JSON that breaks off, 20,000 times': () => '{"a":['.repeat(20_000),
  'only blanks': () => ' \t\n'.repeat(100_000),
  'lone surrogates': () => `${'\ud800'.repeat(20_000)}\n${'x\udc00 '.repeat(20_000)}`,
  'only headings': () => '## user\nsay yes\n'.repeat(20_000),
  'only brackets': () => '}\n)\n]\n'.repeat(50_000),
  'a table of 5,000 rows': () =>
    `| id | name |\n| -- | -- |\n${numbers(5_000, (index) => `| ${index} | n${index} |`)}`,
};

describe('a tool that gives', () => {
  for (const [name, make] of Object.entries(hostile)) {
    test(`${name}, is excerpted while it is old, whole while it is new, and cut if it does not fit`, async () => {
      const output = make();
      const first = await expectSane(old(output), 400);
      expect(first.tokens).toBeLessThanOrEqual(400);
      const messages = newest(output.slice(0, 500_000));
      const whole = await expectSane(messages, 400);
      expect(whole.view).toEqual(messages);
      const cut = await expectSane(messages, 1, 400);
      expect(cut.tokens).toBeLessThanOrEqual(400);
      expect(cut.view[0]).toEqual(messages[0]);
    });
  }

  test('nothing adds nothing', async () => {
    const messages = [
      user('go'),
      ...Array.from({ length: 30 }, (_, index) =>
        transcript(call(`${index}`, 'mkdir', { path: `out/d${index}` }), result(`${index}`, '')),
      ).flat(),
      user('and now?'),
    ];
    const { sections, tokens } = await expectSane(messages, 150);
    expect(tokens).toBeLessThanOrEqual(150);
    expect(sections.some(({ heading }) => heading.startsWith('mkdir out/d'))).toBe(true);
    for (const section of sections.slice(1)) expect(linesIn(section)).toEqual([]);
  });
});

describe('a conversation', () => {
  const many = [
    system('You help.'),
    user('go'),
    ...Array.from({ length: 30 }, (_, index) =>
      transcript(call(`${index}`, 'read', { path: `f${index}.ts` }), result(`${index}`, words(50))),
    ).flat(),
    user('and now?'),
  ];

  test('ends with the messages that must stay if the target is 0, 1 or negative', async () => {
    for (const target of [0, 1, -5]) {
      const { view } = await expectSane(many, target);
      expect(view[0]).toBe(many[0]);
      expect(view.at(-1)).toBe(many.at(-1));
      expect(view.length).toBeLessThan(8);
    }
  });

  test('stays as it is if it is one giant user message', async () => {
    const giant = user('why? '.repeat(200_000));
    const { view, record } = await expectSane([giant], 100);
    expect(view).toEqual([giant]);
    expect(record).toBeUndefined();
  });

  test('keeps lines of a giant old user message', async () => {
    const log = numbers(50_000, (index) => `request ${index} took ${index % 977} ms`);
    const others = Array.from({ length: 30 }, (_, index) =>
      transcript(call(`${index}`, 'lookup', { id: index }), result(`${index}`, words(50))),
    ).flat();
    const messages = [user(log), ...others, assistant('Done.'), user('And the rest?')];
    const { tokens, sections } = await expectSane(messages, 500);
    expect(tokens).toBeLessThanOrEqual(500);
    expect(sections[0]?.heading).toBe('user');
    expect(linesIn(sections[0] as ExcerptSection).length).toBeGreaterThan(1);
  });

  test('of 500 parallel calls is excerpted if they are old, and cut if they are new', async () => {
    const calls = Array.from({ length: 500 }, (_, index) => ({
      type: 'tool-call' as const,
      toolCallId: `${index}`,
      toolName: 'read',
      input: { path: `f${index}` },
    }));
    const answers = calls.map(({ toolCallId }, index) =>
      result(toolCallId, `value_${index} = ${index}\n${words(20)}`),
    );
    const messages = transcript(user('all'), assistant(calls), ...answers);
    const whole = await expectSane(messages, 5_000);
    expect(whole.view).toEqual(messages);
    const cut = await expectSane(messages, 1, 10_000);
    expect(cut.tokens).toBeLessThanOrEqual(10_000);
    const { tokens } = await expectSane([...messages, assistant('so'), user('go')], 2_000);
    expect(tokens).toBeLessThanOrEqual(2_000);
  });

  test('with deeply nested arguments of 2 MB is cut to valid JSON', async () => {
    let nested: unknown = 'x'.repeat(2_000_000);
    for (let depth = 0; depth < 500; depth += 1) nested = { inner: nested, list: [depth] };
    const messages = transcript(user('go'), call('1', 'write', { nested }), result('1', 'ok'));
    const whole = await expectSane(messages, 500);
    expect(whole.view).toEqual(messages);
    const { view, tokens } = await expectSane(messages, 1, 500);
    expect(tokens).toBeLessThanOrEqual(500);
    expect(toolCallsOf(view.find(({ role }) => role === 'assistant') as Message)[0]?.input).toBeInstanceOf(
      Object,
    );
    await expectSane([...messages, assistant('so'), user('on')], 100);
  });

  test('whose images each take more than all its texts keeps the text that fits', async () => {
    const image = { type: 'image' as const, image: 'aGVsbG8='.repeat(4_000), mediaType: 'image/png' };
    const messages = Array.from({ length: 10 }, (_, index) => [
      user([{ type: 'text', text: `screen ${index}` }, image]),
      ...transcript(
        call(`${index}`, 'read', { path: `src/f${index}.ts` }),
        result(
          `${index}`,
          numbers(20, (line) => `const setting_${index}_${line} = ${line};`),
        ),
      ),
    ]).flat();
    const { tokens } = await expectSane([...messages, assistant('ok'), user('go')], 900);
    expect(tokens).toBeLessThanOrEqual(900);
    expect(tokens).toBeGreaterThan(750);
  });

  test('that contains the same objects several times is excerpted', async () => {
    const again = transcript(call('1', 'bash', { command: 'date' }), result('1', `Monday\n${words(40)}`));
    const { sections } = await expectSane(
      [user('go'), ...Array.from({ length: 20 }, () => again).flat(), user('on')],
      150,
    );
    expect(messageText({ role: 'user', content: sections.map(({ text }) => text).join('\n') })).toContain(
      'Monday',
    );
  });
});
