import { defineStrategy, type Message, messageText } from '@ctx/core';
import { and, assistant, call, managerOf, result, transcript, user, words } from '@ctx/testing';
import { relevance } from '../src/index.js';
import { compressed, inWindow, unreadMark } from './compressing.js';

const log = (name: string) =>
  Array.from({ length: 300 }, (_, index) => `line ${index} of ${name}.log says ${name}${index}`).join('\n');

/** The view after another strategy replaced the first result of the newest exchange and relevance cut the rest to fit the window. */
async function cutAfter(text: string, windowTokens: number): Promise<{ results: string[]; tokens: number }> {
  const messages = transcript(
    user('go'),
    assistant([
      ...call('a', 'bash', { command: 'a' }).content,
      ...call('b', 'bash', { command: 'b' }).content,
    ] as never),
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
    const kept = results[0]?.split('\n') ?? [];
    const shown = kept.slice(0, -1).filter((line) => line !== '…');
    expect(Number(unreadMark.exec(kept.at(-1) ?? '')?.[1])).toBe(300 - shown.length);
    for (const line of shown) expect(lines).toContain(line);
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

  test('stay whole whatever the target, as long as they fit', async () => {
    const messages = transcript(user('go'), calls, ...results);
    for (const target of [-1, 0, 100, 3_000]) {
      const { view, record } = await compressed(messages, target, inWindow(4_000));
      expect(view).toEqual(messages);
      expect(record).toBeUndefined();
    }
  });
});
