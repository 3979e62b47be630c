import { ContextManager, defineStrategy, type Message } from '@ctx/core';
import { wordCounter, words } from '@ctx/testing';

const said: readonly Message[] = [
  { role: 'user', content: words(30) },
  { role: 'assistant', content: [{ type: 'text', text: words(20) }] },
  { role: 'user', content: [{ type: 'text', text: words(20) }] },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: words(5) },
      { type: 'text', text: 'so' },
      { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: {} },
    ],
  },
  // The call is never answered, so core adds a result that says so.
  { role: 'assistant', content: words(9) },
  { role: 'user', content: 'Now write it down.' },
];

function conversation(): ContextManager {
  const manager = new ContextManager({
    counter: wordCounter,
    config: { marker: true, reasoning: 'dropped', minMessagesToKeep: 1 },
  });
  for (const message of said) manager.append(message);
  return manager;
}

const shortens = defineStrategy({
  name: 'shortens',
  emits: ['drop', 'replace', 'merge'],
  plan: ({ view }) => ({
    edits: [
      { type: 'drop', messages: [view[0]?.id ?? ''], reason: 'old' },
      { type: 'merge', messages: [view[1]?.id ?? ''], text: 'they spoke', placement: 'first', reason: 'old' },
      { type: 'replace', message: view[2]?.id ?? '', part: 0, text: 'short', reason: 'long' },
    ],
  }),
});

describe('a message that core makes', () => {
  test('can be changed by neither a host nor a strategy', async () => {
    const manager = conversation();
    await manager.compress({ strategy: shortens, targetTokens: 0 });
    const own = new Set(said);
    const made = manager.view().filter((message) => !own.has(message));
    expect(made.map(({ role }) => role)).toEqual(['user', 'user', 'user', 'assistant', 'tool']);
    for (const message of made) {
      expect(() => Object.assign(message, { content: 'overwritten' })).toThrow(TypeError);
      if (typeof message.content !== 'string')
        expect(() => (message.content as unknown[]).pop()).toThrow(TypeError);
    }
  });

  test("leaves the host's own parts unfrozen", async () => {
    const manager = conversation();
    await manager.compress({ strategy: shortens, targetTokens: 0 });
    for (const { content } of said) {
      expect(Object.isFrozen(content)).toBe(typeof content === 'string');
      if (typeof content !== 'string') for (const part of content) expect(Object.isFrozen(part)).toBe(false);
    }
  });
});
