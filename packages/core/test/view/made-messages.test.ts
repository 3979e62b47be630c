import type { Message } from '@ctx/core';
import { managerOf, words } from '@ctx/testing';
import { drop, merge, planning, replace } from '../edits.js';

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

async function compressed() {
  const manager = managerOf(said, { config: { marker: true, reasoning: 'dropped' } });
  const edits = [drop('m1'), merge(['m2'], 'they spoke'), replace('m3', 'short')];
  await manager.compress({ strategy: planning(...edits), targetTokens: 0 });
  return manager;
}

describe('a message that core makes', () => {
  test('can be changed by neither a host nor a strategy', async () => {
    const own = new Set(said);
    const made = (await compressed()).view().filter((message) => !own.has(message));
    expect(made.map(({ role }) => role)).toEqual(['user', 'user', 'user', 'assistant', 'tool']);
    for (const message of made) {
      expect(() => Object.assign(message, { content: 'overwritten' })).toThrow(TypeError);
      if (typeof message.content !== 'string')
        expect(() => (message.content as unknown[]).pop()).toThrow(TypeError);
    }
  });

  test("leaves the host's own parts unfrozen", async () => {
    await compressed();
    for (const { content } of said) {
      expect(Object.isFrozen(content)).toBe(typeof content === 'string');
      if (typeof content !== 'string') for (const part of content) expect(Object.isFrozen(part)).toBe(false);
    }
  });
});
