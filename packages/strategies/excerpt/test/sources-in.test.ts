import type { Message } from '@ctx/core';
import { assistant, call, result, transcript, user } from '@ctx/testing';
import { untouchedWeight } from '../src/weights.js';
import { read as readAll } from './reading.js';

const weights = (...messages: readonly Message[]) =>
  Object.fromEntries(
    readAll(transcript(...messages)).sources.map(({ section, weight }) => [section.heading, weight]),
  );

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
