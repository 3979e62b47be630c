import { defineStrategy, type Message, messageText, partsOf } from '@ctx/core';
import { and, assistant, call, managerOf, result, transcript, user, words } from '@ctx/testing';
import { relevance } from '../src/index.js';
import { compressed, inWindow, unreadMark } from './compressing.js';

const log = (name: string) =>
  Array.from({ length: 300 }, (_, index) => `line ${index} of ${name}.log says ${name}${index}`).join('\n');

/** The view after another strategy replaced the first result of the newest exchange and relevance cut the rest to fit the window. */
async function cutAfter(text: string, windowTokens: number): Promise<{ results: string[]; tokens: number }> {
  const messages = transcript(
    user('go'),
    and(call('a', 'bash', { command: 'a' }), call('b', 'bash', { command: 'b' })),
    result('a', log('first')),
    result('b', log('second')),
  );
  const other = defineStrategy({
    name: 'other',
    emits: ['replace'],
    partial: true,
    plan: ({ view }) => {
      const { id } = view.find(({ message }) => message.role === 'tool') as { id: string };
      return { edits: [{ type: 'replace', message: id, part: 0, text, reason: 'test' }] };
    },
  });
  const manager = managerOf(messages, { ...inWindow(windowTokens), strategies: [other, relevance()] });
  const { record } = await manager.compress({ targetTokens: 1 });
  expect(record?.stages.map(({ strategy }) => strategy)).toEqual(['other', 'relevance']);
  return {
    results: manager
      .view()
      .filter(({ role }: Message) => role === 'tool')
      .map(messageText),
    tokens: manager.stats().countedTokens,
  };
}

describe('a result that another strategy has', () => {
  const lines = log('first').split('\n');

  test('truncated is cut from the original, and has one mark', async () => {
    const truncated = `${lines.slice(0, 130).join('\n')}\n[… 100 lines left out …]\n${lines.slice(-130).join('\n')}`;
    const { results } = await cutAfter(truncated, 1_000);
    expect(results[0]?.split('left out')).toHaveLength(2);
    const kept = (results[0]?.split('\n') ?? []).filter((line) => line !== '…');
    expect(Number(unreadMark.exec(kept.at(-1) ?? '')?.[1])).toBe(300 - (kept.length - 1));
    for (const line of kept.slice(0, -1)) expect(lines).toContain(line);
  });

  test('cleared stays cleared and leaves its room to the others', async () => {
    const note = '[cleared: read again later]';
    const { results, tokens } = await cutAfter(note, 1_000);
    expect(results[0]).toBe(note);
    expect(tokens).toBeLessThanOrEqual(1_000);
    expect(tokens).toBeGreaterThan(900);
  });
});

test('a giant result is cut to lines of its own', async () => {
  const lines = Array.from(
    { length: 9_000 },
    (_, index) => `line ${index} of the log says value ${index * 7}`,
  );
  const giant = lines.join('\n');
  expect(giant.length).toBeGreaterThan(262_144);
  const messages = transcript(user('go'), call('a', 'bash', { command: 'a' }), result('a', giant));
  const { view, tokens } = await compressed(messages, 1, inWindow(1_000));
  expect(tokens).toBeLessThanOrEqual(1_000);
  const shown = messageText(view.at(-1) as Message).split('\n');
  const kept = shown.slice(0, -1).filter((line) => line !== '…');
  expect(kept.length).toBeGreaterThan(20);
  const gone = (9_000 - kept.length).toLocaleString('en-US');
  expect(shown.at(-1)).toContain(`[… ${gone} lines left out`);
  const places = kept.map((line) => lines.indexOf(line));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places[0]).toBe(0);
});

describe('parallel calls whose results are larger than the window', () => {
  const calls = and(
    assistant('I read both before I change anything.'),
    call('a', 'read', { path: 'a' }),
    call('b', 'read', { path: 'b' }),
    call('c', 'read', { path: 'c' }),
  );
  const results = [result('a', log('first')), result('b', 'No such file.'), result('c', log('third'))];
  const textsOf = async (messages: readonly Message[]) => {
    const { view, tokens } = await compressed(transcript(user('go'), ...messages), 1, inWindow(1_000));
    expect(tokens).toBeLessThanOrEqual(1_000);
    return view.map(messageText);
  };

  test('keep their short results and what the agent says with them', async () => {
    const texts = await textsOf([calls, ...results]);
    expect(texts).toContain('I read both before I change anything.');
    expect(texts).toContain('No such file.');
  });

  test('are cut to fit while a result is still missing', async () => {
    const texts = await textsOf([calls, ...results.slice(0, 2)]);
    expect(texts.filter((text) => unreadMark.test(text))).toHaveLength(1);
    expect(texts).toContain('No such file.');
  });

  test('are all cut where the short ones alone take most of the room', async () => {
    const many = Array.from({ length: 40 }, (_, index) => `${index}`);
    const messages = transcript(
      user('go'),
      and(...many.map((id) => call(id, 'read'))),
      ...many.map((id) => result(id, `${words(15)}\n${words(15)}`)),
    );
    const { tokens } = await compressed(messages, 1, inWindow(900));
    expect(tokens).toBeLessThanOrEqual(900);
  });
});

describe('what the model has not read and must be cut', () => {
  const progress = Array.from({ length: 900 }, (_, at) => `[${at}/900] Compiling module_${at} v0.${at % 9}`);
  const failing = [
    'error[E0308]: mismatched types',
    '  --> crates/core/src/lib.rs:412:9',
    'error: could not compile core due to 1 previous error',
    'FAILED in 311 s',
  ];
  const cut = async (messages: readonly Message[], window: number) =>
    (await compressed(transcript(...messages), 1, inWindow(window))).view.map(messageText);

  test.each([1_000, 2_500])('keeps the error and the verdict of a build (%d tokens)', async (window) => {
    for (const lines of [
      [...progress, ...failing],
      [...progress.slice(0, 400), ...failing, ...progress.slice(400)],
    ]) {
      const texts = await cut([user('build it'), call('a', 'bash'), result('a', lines.join('\n'))], window);
      for (const line of failing) expect(texts.at(-1)).toContain(line);
      expect(texts.at(-1)).toContain(progress[0]);
      expect(texts.at(-1)).toContain(lines.at(-1));
    }
  });

  test('keeps the first and the last paragraph of the newest user message', async () => {
    const [first, last] = [
      'Here is the log of the night.',
      'Why did module 432 take so long? Answer in German.',
    ];
    const texts = await cut([user([first, progress.join('\n'), last].join('\n\n'))], 1_000);
    expect(texts.at(-1)?.startsWith(first)).toBe(true);
    expect(texts.at(-1)?.endsWith(last)).toBe(true);
    expect(texts.at(-1)).toContain('module_432');
  });

  test('shares the room among results, each with what was asked for', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const page = (at: number) =>
      [...progress.slice(0, 200), `PRICE: ${at * 13 + 7} EUR`, ...progress.slice(200, 400)].join('\n');
    const calls = and(...names.map((name) => call(name, 'fetch')));
    const texts = await cut(
      [user('list the price on each page'), calls, ...names.map((name, at) => result(name, page(at)))],
      4_000,
    );
    for (const at of names.keys()) expect(texts.join('\n')).toContain(`PRICE: ${at * 13 + 7} EUR`);
  });

  test('of one line loses characters, not lines', async () => {
    const texts = await cut([user('go'), call('a', 'bash'), result('a', 'it is so. '.repeat(900))], 600);
    expect(texts.at(-1)).toMatch(/\[… [\d,]+ characters left out/);
    expect(texts.at(-1)?.length).toBeGreaterThan(900);
  });

  test('of an agent, lists among the words of its user leave before them and before results', async () => {
    const skills = `<system-reminder>\nThe following skills are available:\n${progress.slice(0, 60).join('\n')}\n</system-reminder>`;
    const rules = `<system-reminder>\n# claudeMd\nContents of /repo/CLAUDE.md:\n${progress.slice(60, 70).join('\n')}\n</system-reminder>`;
    const asked = user(
      [skills, rules, 'Raise each revision.'].map((text) => ({ type: 'text' as const, text })),
    );
    const read = result('a', progress.slice(0, 100).join('\n'));
    const { view } = await compressed(transcript(asked, call('a', 'read'), read), 1, inWindow(500));
    const parts = partsOf(view[0] as Message).map((part) => (part.type === 'text' ? part.text : ''));
    expect(parts[0]).toContain('left out');
    expect(parts.slice(1)).toEqual([rules, 'Raise each revision.']);
    expect(messageText(view.at(-1) as Message)).toBe(messageText(read));
  });
});
