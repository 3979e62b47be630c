import type { Message } from '@ctx/core';
import { finish } from '@ctx/core';
import { assistant, call, result, transcript, user } from '@ctx/testing';
import { ConversationIndex } from '../src/conversation-index.js';
import { sourcesIn } from '../src/sources-in.js';
import { untouchedWeight } from '../src/weights.js';

function weights(...messages: readonly Message[]): Record<string, number> {
  const said = transcript(...messages);
  const index = new ConversationIndex();
  finish(index.read(said));
  return Object.fromEntries(
    finish(sourcesIn(index, () => true)).map(({ section, weight }) => [section.heading, weight]),
  );
}

const read = (id: string, path: string) => [call(id, 'read', { path }), result(id, 'export const a = 1;')];

describe('the worth of a source', () => {
  test('is more if the agent has not come back to what it read', () => {
    const found = weights(
      user('Repair the parser.'),
      ...read('1', 'src/parser.ts'),
      ...read('2', 'src/lexer.ts'),
      assistant('src/parser.ts is fine.'),
    );
    expect(found['read src/parser.ts']).toBe(1);
    expect(found['read src/lexer.ts']).toBe(untouchedWeight);
  });

  test('does not change for a call that names nothing', () => {
    expect(weights(user('Go.'), call('1', 'date', {}), result('1', 'Monday')).date).toBe(1);
  });
});
