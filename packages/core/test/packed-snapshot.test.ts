import { ContextManager, CtxError, createContextManager, defineStrategy, type Message } from '@ctx/core';
import {
  arbitraryTranscript,
  assistant,
  call,
  codePoint,
  result,
  user,
  wordCounter,
  words,
} from '@ctx/testing';
import fc from 'fast-check';
import { packedIds, unpackedIds } from '../src/manager/packed-ids.js';
import { packedMessages, unpackedMessages } from '../src/manager/packed-messages.js';
import { LineFinder, textOfShared } from '../src/manager/shared-lines.js';

const log = Array.from({ length: 60 }, (_, line) => `line ${line}: something was done to part ${line % 7}`);
const messages = [
  user(log.join('\n')),
  assistant([
    { type: 'text', text: 'so' },
    { type: 'text', text: log.join('\n') },
  ]),
];

test('texts with any lines are restored from their references', () => {
  const line = fc.oneof(fc.constantFrom(...log), fc.string({ unit: codePoint }), fc.constant(''));
  const text = fc.array(line, { maxLength: 80 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), (some) => {
      const texts = some.flatMap((one) => [one, `again\n${one}`]);
      const finder = new LineFinder(messages, texts);
      const shared = JSON.parse(JSON.stringify(texts.map((one) => finder.shared(one))));
      const known: Message[] = [];
      for (const [at, one] of shared.entries()) {
        const whole = textOfShared(one, (index) => (index < 0 ? known[-1 - index] : messages[index]));
        expect(whole).toBe(texts[at]);
        known.push(user(String(whole)));
      }
    }),
  );
});

test('consecutive lines become one reference', () => {
  const text = ['# log', ...log.slice(5, 40), 'and so on'].join('\n');
  expect(new LineFinder(messages, [text]).shared(text)).toEqual({
    lines: ['# log', [0, 0, [5, 35]], 'and so on'],
  });
});

describe('an excerpt', () => {
  const excerpt = ['What is left:', ...log.slice(3, 50)].join('\n');
  const strategy = defineStrategy({
    name: 'excerpt',
    emits: ['merge'],
    plan: () => ({
      edits: [{ type: 'merge', messages: ['m1', 'm2'], text: excerpt, placement: 'first', reason: 'old' }],
    }),
  });
  const options = { counter: wordCounter, config: { contextWindow: 10_000, minMessagesToKeep: 1 } };
  const compressed = async () => {
    const manager = createContextManager({ ...options, strategies: [strategy] });
    for (const message of [...messages, user('now?')]) manager.append(message);
    await manager.compress({ targetTokens: 0 });
    return manager;
  };

  test('takes almost no room in the JSON of a snapshot, and is whole again after a restore', async () => {
    const manager = await compressed();
    const json = JSON.stringify(manager.snapshot());
    const spelledOut = JSON.stringify({ ...manager.snapshot(), toJSON: undefined });
    expect(json.length).toBeLessThan(spelledOut.length - 0.9 * excerpt.length);
    const restored = ContextManager.restore(JSON.parse(json), options);
    expect(restored.view()).toEqual(manager.view());
    expect(restored.history).toEqual(JSON.parse(JSON.stringify(manager.history)));
  });

  test.each<[string, unknown]>([
    ['a message that was never said', [9, 0, 0]],
    ['a part that is not there', [0, 7, 0]],
    ['more lines than there are', [0, 0, [50, 50]]],
    ['no place', ['0', 0, 0]],
    ['itself', [-1, 0, 0]],
    ['no line', [0, 0, [5, 0]]],
    ['no run', [0, 0, [5, 1, 1]]],
    ['nothing', null],
  ])('that refers to %s is refused', async (_, reference) => {
    const json = JSON.parse(JSON.stringify((await compressed()).snapshot()));
    json.records[0].edits[0].text = { lines: [reference] };
    expect(() => ContextManager.restore(json, options)).toThrow(CtxError);
    expect(() => ContextManager.restore(json, options)).toThrow('refers to lines that do not exist');
  });
});

/** JSON and back, as in a store. */
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value));

describe('a native message', () => {
  /** Native values that repeat the content, along with texts of their own and keys that look like references. */
  const nativeOf = ({ content }: Message): fc.Arbitrary<unknown> => {
    const said = typeof content === 'string' ? [content] : content.flatMap((part) => Object.values(part));
    const leaf = fc.oneof(fc.constantFrom(...said), fc.string(), fc.integer(), fc.constant(null));
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(
          fc.constantFrom('role', 'content', 'id', 'ctx:text', 'ctx:value', '__proto__'),
          tie('tree'),
        ),
      ),
    }));
    return tree;
  };
  const kept = arbitraryTranscript.chain((transcript) =>
    fc.tuple(
      ...transcript.map((message, index) =>
        fc.record({
          id: fc.constantFrom(`m${index + 1}`, `own-${index}`),
          message: fc
            .option(nativeOf(message), { nil: undefined })
            .map((native): Message => ({ ...message, native })),
          createdAt: fc.option(fc.integer({ min: 0, max: 2e12 }), { nil: undefined }),
        }),
      ),
    ),
  );

  test('is restored unchanged, whatever it repeats of the content', () => {
    fc.assert(
      fc.property(kept, (all) => {
        const { messages: packed, forms } = stored(packedMessages(all));
        expect(unpackedMessages(packed, forms)).toEqual(stored(all));
      }),
    );
  });

  test('takes almost no room apart from the content', () => {
    const all = Array.from({ length: 100 }, (_, at) => [
      call(`call-${at}`, 'read', { path: `src/${at}.ts` }),
      result(`call-${at}`, words(60, `line${at}`)),
    ]).flat();
    const native = (message: Message) => {
      const { role } = message;
      const [part] = message.content;
      if (typeof part === 'string' || part?.type !== 'tool-call') return { role, ...(part as object) };
      const called = { name: part.toolName, arguments: JSON.stringify(part.input) };
      return { role, tool_calls: [{ type: 'function', id: part.toolCallId, function: called }] };
    };
    const messages = all.map(
      (message) => ({ ...message, native: { codec: 'some', message: native(message) } }) as Message,
    );
    const manager = createContextManager({
      counter: wordCounter,
      strategies: [],
      config: { contextWindow: 1e6 },
    });
    for (const message of messages) manager.append(message);
    const json = JSON.stringify(manager.snapshot());
    expect(json.length).toBeLessThan(1.2 * JSON.stringify(all).length);
    const restored = ContextManager.restore(JSON.parse(json), { counter: wordCounter, strategies: [] });
    expect(restored.view()).toEqual(messages);
  });
});

test('a list of any ids is restored from its runs', () => {
  const id = fc.oneof(
    fc.integer({ min: 0, max: 30 }).map((number) => `m${number}`),
    fc.constantFrom('m01', 'm', 'own', 'm9007199254740993'),
  );
  const run = fc
    .tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 20 }))
    .map(([first, length]) => Array.from({ length }, (_, at) => `m${first + at}`));
  fc.assert(
    fc.property(fc.array(fc.oneof(run, fc.array(id)), { maxLength: 6 }), (lists) => {
      const ids = lists.flat();
      expect(unpackedIds(stored(packedIds(ids)), 1_000)).toEqual(ids);
    }),
  );
  expect(packedIds(['a', 'm3', 'm4', 'm5', 'm6', 'b'])).toEqual({ 'ctx:ids': ['a', [3, 6], 'b'] });
});

test('an impossible run of ids is not a run', () => {
  const endless = { 'ctx:ids': [[1, 9e15]] };
  expect(unpackedIds(endless, 100)).toEqual([[1, 9e15]]);
});
