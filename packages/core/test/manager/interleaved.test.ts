import type { ContextManager, TokenCounter } from '@ctx/core';
import { assistant, managerOf, sentProblems, user, wordCounter, words } from '@ctx/testing';
import { dropOldest } from '../drop-oldest.js';
import { heard } from '../heard.js';
import { restored } from '../restored.js';
import { talk } from '../talk.js';

const conversation = talk(40, 20);
/** A manager that calls `between` wherever its work pauses. */
function pausing(between: (manager: ContextManager) => void, counter: TokenCounter = wordCounter) {
  const manager: ContextManager = managerOf(conversation, {
    counter,
    strategies: [dropOldest],
    slices: { sliceMs: 0, pause: async () => between(manager) },
    contextWindow: 100_000,
  });
  return manager;
}

const said = ({ transcript }: ContextManager) => transcript.map(({ message }) => message);

test('a host that appends at every pause is not waited for, and every message of it stays', async () => {
  let appended = 0;
  const manager = pausing(() => {
    appended += 1;
    manager.append(appended % 2 === 0 ? user(`more ${appended}`) : assistant(`well ${appended}`));
  });
  const { status, record } = await manager.compress({ targetTokens: 300 });
  expect(record?.edits.length).toBeGreaterThan(0);
  expect(['compressed', 'insufficient']).toContain(status);
  expect(manager.transcript).toHaveLength(conversation.length + appended);
  expect(sentProblems(manager.view(), said(manager))).toEqual([]);
  expect(restored(manager).view()).toEqual(manager.view());
});

test('at no pause is a record half in force: the view and the history change together', async () => {
  const seen = new Set<string>();
  const manager = pausing(() => {
    const { messages, historyCount, countedTokens } = manager.stats();
    seen.add(`${messages} messages, ${historyCount} records, ${countedTokens} tokens`);
  });
  await manager.compress({ targetTokens: 300 });
  const after = manager.stats();
  const states = [
    '40 messages, 0 records, 800 tokens',
    `${after.messages} messages, 1 records, ${after.countedTokens} tokens`,
  ];
  expect(states).toEqual(expect.arrayContaining([...seen]));
  expect(seen).toContain(states[0]);
});

test('compressions that pause run one at a time', async () => {
  let pauses = 0;
  const manager = pausing(() => {
    pauses += 1;
    if (pauses === 20) void manager.compress({ targetTokens: 100 });
  });
  const ends = heard(manager, 'compression-start', () => 'start');
  manager.on('compression-end', () => ends.push('end'));
  await manager.compress({ targetTokens: 300 });
  await manager.compress({ targetTokens: 50 });
  expect(ends.join(' ')).toMatch(/^start end start end/);
});

test('while a new tokenizer counts, figures are estimates until all are exact, of what comes meanwhile too', async () => {
  /** Far off before it is loaded. */
  const counter = {
    loaded: false,
    async load() {
      counter.loaded = true;
    },
    count: (text: string) => wordCounter.count(text) * (counter.loaded ? 1 : 3),
  };
  const qualities: string[] = [];
  const manager = pausing(() => {
    qualities.push(manager.stats().quality);
    if (qualities.length === 10) manager.append(user(words(7)));
  }, counter);
  expect(manager.stats()).toMatchObject({ countedTokens: 2_400, quality: 'estimated' });
  await manager.simulate({ targetTokens: 300 });
  expect(manager.stats()).toMatchObject({ countedTokens: 807, quality: 'exact' });
  const firstExact = qualities.indexOf('exact');
  expect(firstExact).toBeGreaterThanOrEqual(conversation.length);
  expect(qualities.slice(firstExact)).not.toContain('estimated');
});
