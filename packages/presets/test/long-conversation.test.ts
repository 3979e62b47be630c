import {
  type CompressionRecord,
  type ContextManager,
  type Message,
  messageText,
  seededRandom,
} from '@ctx/core';
import { Transcript } from '@ctx/core/kit';
import { createContextManager, restore } from '../src/index.js';

/** Rounds of a chapter in these tests, and messages of a round: with chapters of full length, ten megabytes would have to be read here. */
const rounds = 60;
const roundMessages = 4;
jest.spyOn(Transcript.prototype, 'chapters', 'get').mockImplementation(function (this: Transcript) {
  // The first message belongs to no round.
  const begun = Math.floor(Math.max(0, this.length - 2) / (rounds * roundMessages));
  return [0, ...Array.from({ length: begun }, (_, number) => 1 + (number + 1) * rounds * roundMessages)];
});

const wish = 'Always answer in the words of a sailor, whatever happens to the ship.';
const lines = Array.from({ length: 400 }, (_, at) => `step ${at} of the work on part${at}.ts went well`);
const random = seededRandom(1);
const text = (length: number) => {
  let written = '';
  while (written.length < length) written += `${lines[Math.floor(random() * lines.length)]}\n`;
  return written;
};

/** How often something is read of a message of the conversation. */
let reads = 0;
const counted = (message: Message): Message =>
  new Proxy(message, {
    get(target, key) {
      reads += 1;
      return Reflect.get(target, key);
    },
  });

/** One round: a call, its result, what the assistant makes of it and what the user says. */
function round(number: number): Message[] {
  const id = `call-${number}`;
  const input = { path: `src/file-${number % 30}.ts`, offset: number };
  return [
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: id, toolName: 'read', input }],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: id, toolName: 'read', output: text(1_000) }],
    },
    { role: 'assistant', content: text(300) },
    { role: 'user', content: `Now do the next thing, number ${number}, and tell me of it.` },
  ];
}

const options = {
  provider: 'anthropic',
  model: 'claude-sonnet-4-5',
  counter: { count: (one: string) => Math.ceil(one.length / 4) },
  now: () => 0,
  config: { contextWindow: 8_000, reserve: 1_000, throttleMs: 0, overhead: { message: 0, conversation: 0 } },
} as const;

interface Turn {
  /** The number of the chapter, from 0. */
  readonly chapter: number;
  readonly reads: number;
  readonly record: CompressionRecord | undefined;
}

const chapters = 7;
let manager: ContextManager;
const turns: Turn[] = [];
/** What was said last before each compression, in the last chapter, and the snapshot at that point. */
let late: { readonly snapshot: unknown; readonly record: CompressionRecord } | undefined;

beforeAll(async () => {
  manager = createContextManager(options);
  manager.append(counted({ role: 'user', content: wish }));
  for (let number = 0; number < chapters * rounds; number += 1) {
    for (const message of round(number)) {
      const before = reads;
      manager.append(counted(message));
      const snapshot =
        number > (chapters - 1) * rounds && manager.willCompress() ? manager.snapshot() : undefined;
      const known = reads - before;
      const { record } = await manager.checkAndCompress({ beforeSend: true });
      manager.request();
      for (let one = 0; one < 5; one += 1) await new Promise(setImmediate);
      if (snapshot !== undefined && record !== undefined) late = { snapshot, record };
      turns.push({
        chapter: Math.floor(number / rounds),
        reads: reads - before - (snapshot ? known : 0),
        record,
      });
    }
  }
}, 120_000);

const readsIn = (number: number) => turns.filter((turn) => turn.chapter === number).map((turn) => turn.reads);
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

test('a chapter of a conversation takes as many reads as any other, and its dearest turn too', () => {
  const [early, last] = [readsIn(3), readsIn(chapters - 1)];
  expect(turns.filter(({ record }) => record !== undefined).length).toBeGreaterThan(2 * chapters);
  expect(sum(last)).toBeLessThan(1.1 * sum(early));
  expect(Math.max(...last)).toBeLessThan(1.1 * Math.max(...early));
});

test('what the user wants stays, though it was said many chapters ago', () => {
  expect(manager.view().map(messageText).join('\n')).toContain(wish);
});

test('what left the view long ago is one excerpt, and each of the last two chapters is another', () => {
  const excerpts = manager.view().filter(({ summary }) => summary === true);
  expect(excerpts.length).toBeGreaterThan(1);
  expect(excerpts.length).toBeLessThanOrEqual(3);
  const numbers = excerpts.flatMap((one) =>
    [...messageText(one).matchAll(/^## .* #m(\d+)$/gm)].map(([, number]) => Number(number)),
  );
  expect(numbers.length).toBeGreaterThan(5);
  expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
});

test('a manager restored from a snapshot compresses as the one that was saved', async () => {
  if (late === undefined) throw new Error('nothing was compressed in the last chapter');
  const restored = restore(late.snapshot, options);
  const { record } = await restored.checkAndCompress({ beforeSend: true });
  expect(record).toEqual({ ...late.record, durationMs: record?.durationMs });
});
