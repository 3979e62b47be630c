import type { Message } from '@ctx/core';
import { assistant, call, result, transcript, user } from '@ctx/testing';
import { read as readAll } from './reading.js';

const untouched = (...messages: readonly Message[]) =>
  Object.fromEntries(
    readAll(transcript(...messages)).sources.map(({ section, isUntouched }) => [
      section.heading,
      isUntouched,
    ]),
  );

const read = (id: string, path: string) => [call(id, 'read', { path }), result(id, 'export const a = 1;')];

describe('a source', () => {
  test('is untouched if the agent has not come back to what it read', () => {
    const found = untouched(
      user('Repair the parser.'),
      ...read('1', 'src/parser.ts'),
      ...read('2', 'src/lexer.ts'),
      assistant('src/parser.ts is fine.'),
    );
    expect(found['read src/parser.ts']).toBe(false);
    expect(found['read src/lexer.ts']).toBe(true);
  });

  test('is not untouched if its call names nothing', () => {
    expect(untouched(user('Go.'), call('1', 'date', {}), result('1', 'Monday')).date).toBe(false);
  });
});
