import { ContextManager, CtxError, createContextManager, defineStrategy, type Message } from '@ctx/core';
import { assistant, user, wordCounter } from '@ctx/testing';
import fc from 'fast-check';
import { LineFinder, textOfShared } from '../src/manager/shared-lines.js';

const log = Array.from({ length: 60 }, (_, line) => `line ${line}: something was done to part ${line % 7}`);
const messages = [
  user(log.join('\n')),
  assistant([
    { type: 'text', text: 'so' },
    { type: 'text', text: log.join('\n') },
  ]),
];

test('whatever lines some texts have, they come back from their references', () => {
  const line = fc.oneof(fc.constantFrom(...log), fc.string({ unit: 'binary' }), fc.constant(''));
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

test('neighbours are one reference', () => {
  const text = ['# log', ...log.slice(5, 40), 'and so on'].join('\n');
  expect(new LineFinder(messages, [text]).shared(text)).toEqual({
    lines: ['# log', [0, 0, 5, 35], 'and so on'],
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

  test('takes next to no room in the JSON of a snapshot, and is whole again in what is restored', async () => {
    const manager = await compressed();
    const json = JSON.stringify(manager.snapshot());
    const spelledOut = JSON.stringify({ ...manager.snapshot(), toJSON: undefined });
    expect(json.length).toBeLessThan(spelledOut.length - 0.9 * excerpt.length);
    const restored = ContextManager.restore(JSON.parse(json), options);
    expect(restored.view()).toEqual(manager.view());
    expect(restored.history).toEqual(JSON.parse(JSON.stringify(manager.history)));
  });

  test.each<[string, unknown]>([
    ['a message that was never said', [9, 0, 0, 1]],
    ['a part that is not there', [0, 7, 0, 1]],
    ['more lines than there are', [0, 0, 50, 50]],
    ['no place', ['0', 0, 0, 1]],
    ['itself', [-1, 0, 0, 1]],
    ['no line', [0, 0, 5, 0]],
    ['nothing', null],
  ])('that refers to %s is refused', async (_, reference) => {
    const json = JSON.parse(JSON.stringify((await compressed()).snapshot()));
    json.records[0].edits[0].text = { lines: [reference] };
    expect(() => ContextManager.restore(json, options)).toThrow(CtxError);
    expect(() => ContextManager.restore(json, options)).toThrow('refers to what is not there');
  });
});
