import type { Message } from '@ctx/core';
import { and, assistant, call, managerOf, user, words } from '@ctx/testing';
import { drop, merge, planning, replace } from '../edits.js';

const part = (tokens: number) => ({ type: 'text' as const, text: words(tokens) });
const said: readonly Message[] = [
  user(words(30)),
  assistant([part(20)]),
  user([part(20)]),
  // The call is never answered, so core adds a result that says so.
  and(assistant([{ type: 'reasoning', text: words(5) }, part(1)]), call('a', 'read')),
  assistant(words(9)),
  user('Now write it down.'),
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
