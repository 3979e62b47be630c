import { and, assistant, call, deepFreeze, managerOf, result, system, user, words } from '@ctx/testing';
import {
  type Config,
  ContextManager,
  ContextOverflowError,
  type Message,
  messageText,
} from '../../src/index.js';
import { drop, planner } from '../edits.js';

const window = 1000;
/** The window without the least part of the reserve: what must stay is cut for this. */
const limit = 900;
/** A text may be cut this much shorter than needed, because of its mark and the length of its words. */
const leeway = 30;
/** Tokens of the line that stands for what was dropped. Dropping no more than that frees nothing. */
const markerTokens = 9;
const managerWith = (messages: readonly Message[], config: Config = {}) =>
  managerOf(deepFreeze(messages), { contextWindow: window, config });
const idle = planner('idle', () => []);
const textsOf = (messages: readonly Message[]) => messages.map(({ content }) => JSON.stringify(content));

test('a giant tool result is cut to a share of the window, and everything else stays', async () => {
  const manager = managerWith([
    user('find the bug'),
    call('1', 'read', { path: 'a.ts' }),
    result('1', words(5000, 'code')),
    assistant('found it'),
    user('then fix it'),
  ]);
  const outcome = await manager.checkAndCompress();
  const view = manager.view();
  expect(outcome.record?.strategy).toBe('last-resort');
  expect(outcome.record?.edits).toHaveLength(1);
  expect(view).toHaveLength(5);
  expect(textsOf(view)[2]).toMatch(/code.*tokens .* left out.*code/);
  expect(manager.stats().currentTokens).toBeLessThanOrEqual(window);
});

/** What stands for the part of a text that the model has not read. */
const unreadMark =
  /\[… [\d,]+ \w+ \([\d,]+ tokens\) left out, because they do not fit into the window: read them in parts …\]/;

test('the result of the newest call is cut too, and so is a giant argument, which remains JSON', async () => {
  const manager = managerWith([
    user('write it'),
    call('1', 'write', { path: 'a.ts', content: words(4000, 'code') }),
    result('1', words(4000, 'echo')),
  ]);
  await manager.checkAndCompress();
  const [, written, echoed] = manager.view();
  const input = { path: 'a.ts', content: expect.stringMatching(/characters left out/) };
  expect(written?.content).toMatchObject([{ input }]);
  expect(JSON.stringify(echoed)).toMatch(unreadMark);
  expect(manager.stats().currentTokens).toBeLessThanOrEqual(window);
});

test('the newest user message is cut last, and only if it does not fit by itself', async () => {
  const beside = managerWith([assistant(words(2000)), user(words(900, 'please'))]);
  await beside.checkAndCompress();
  expect(beside.view().at(-1)?.content).toBe(words(900, 'please'));

  const alone = managerWith([system('be brief'), assistant(words(2000)), user(words(5000, 'please'))]);
  await alone.checkAndCompress();
  expect(alone.view()[0]?.content).toBe('be brief');
  const left = alone.view().at(-1)?.content;
  expect(left).toMatch(/^please .* please$/s);
  expect(left).toMatch(unreadMark);
  expect(alone.stats().currentTokens).toBeLessThanOrEqual(limit);
  expect(alone.stats().currentTokens).toBeGreaterThan(limit - leeway);
  alone.undo(alone.history[0]?.id as string);
  expect(alone.view().at(-1)?.content).toBe(words(5000, 'please'));
});

describe('before anything that must stay is cut', () => {
  const unreadResult = result('2', words(870, 'new'));
  const messages = [
    user('find the bug'),
    call('1', 'read', { path: 'a.ts' }),
    result('1', words(300, 'old')),
    assistant(words(200, 'thought')),
    call('2', 'read', { path: 'b.ts' }),
    unreadResult,
  ];

  test('all that may leave has left, even if fewer messages than wanted stay', async () => {
    const manager = managerWith(messages, { minMessagesToKeep: 5 });
    const { record } = await manager.checkAndCompress();
    expect(record).toMatchObject({ strategy: 'last-resort', removed: ['m2', 'm3', 'm4'] });
    expect(manager.view()).toEqual([messages[0], messages[4], unreadResult]);
  });

  test('enough leaves to make up for the line that stands for it', async () => {
    const withResult = (length: number) => [
      user('find the bug'),
      assistant(words(30, 'thought')),
      assistant(words(markerTokens - 4, 'short')),
      call('2', 'read', { path: 'b.ts' }),
      result('2', words(length, 'new')),
    ];
    const { countedTokens } = managerWith(withResult(1)).stats();
    const all = withResult(limit - markerTokens + 2 - countedTokens);
    const manager = managerWith(all, { minMessagesToKeep: all.length, marker: true });
    const { record } = await manager.compress({ targetTokens: 0, strategy: idle });
    expect(record).toMatchObject({ strategy: 'last-resort', removed: ['m2', 'm3'] });
    expect(manager.view()).toEqual([all[0], expect.anything(), all[3], all[4]]);
  });

  test('what may leave is cut before fewer messages than wanted stay', async () => {
    const smaller = [...messages.slice(0, -1), result('2', words(640, 'new'))];
    const manager = managerWith(smaller, { minMessagesToKeep: 5 });
    const { record } = await manager.checkAndCompress();
    expect(record?.removed).toEqual(['m4']);
    const view = manager.view();
    expect(view.toSpliced(2, 1)).toEqual(smaller.toSpliced(2, 2));
    expect(messageText(view[2] as Message)).toMatch(/^old .*left out …\].* old$/s);
  });
});

const giant = 'A'.repeat(4_000_000);
test.each<[string, object]>([
  ['image or file', { type: 'image', image: giant }],
  ['file spec .pdf', { type: 'file', data: giant, mediaType: 'application/pdf', filename: 'spec]\n.pdf' }],
])('an %s that is too large is replaced by a line that names it', async (name, media) => {
  const asked = { type: 'text', text: 'what is this?' };
  const manager = managerWith([{ role: 'user', content: [asked, media] } as Message]);
  await manager.checkAndCompress();
  const text = `[${name} left out: larger than the window]`;
  expect(manager.view()[0]?.content).toEqual([asked, { type: 'text', text }]);
});

test('with an exact tokenizer, a message of five megabytes is made to fit', async () => {
  const manager = new ContextManager({ config: { contextWindow: 4000 } });
  manager.append(user(Array.from({ length: 450_000 }, (_, index) => `item ${index}`).join(' ')));
  await manager.checkAndCompress();
  expect(manager.stats().currentTokens).toBeLessThanOrEqual(4000);
  expect(manager.stats().currentTokens).toBeGreaterThan(3000);
});

test('runs again on a smaller view after it could do nothing for a larger one', async () => {
  const dropsGiants = planner('drops-giants', ({ view }) =>
    view.filter(({ tokens, pinned }) => tokens > 1_400 && !pinned).map(({ id }) => drop(id)),
  );
  const manager = managerOf([user('read it'), assistant(words(1_500))], {
    contextWindow: window,
    strategies: [dropsGiants],
  });
  const giant = manager.transcript[1]?.id as string;
  manager.pin(giant);
  await expect(manager.checkAndCompress()).rejects.toThrow(ContextOverflowError);
  manager.unpin(giant);
  manager.append(user(words(1_100)));
  manager.append(assistant('Read.'));
  await manager.checkAndCompress();
  expect(manager.stats().currentTokens).toBeLessThanOrEqual(window);
});

test('several results of one message are cut separately', async () => {
  const manager = managerWith([
    user('read both'),
    and(call('1', 'read', { path: 'a' }), call('2', 'read', { path: 'b' })),
    and(result('1', words(3000, 'a')), result('2', words(3000, 'b'))),
  ]);
  await manager.checkAndCompress();
  expect(manager.view()[2]?.content).toMatchObject([
    { output: expect.stringMatching(/^a .* left out/s) },
    { output: expect.stringMatching(/^b .* left out/s) },
  ]);
});
