import { user, wordCounter } from '@ctx/testing';
import { instructionOf } from '../src/instruction.js';

const rules = { threshold: 70, tokensOf: (text: string) => wordCounter.count(text) };
const of = (text: string) => instructionOf(user(text), rules);

test.each([
  'What does the parser do with an empty file?',
  'Why? And since when?',
  '为什么会失败？',
  '这个可行吗',
  'How do we use the database (PostgreSQL)?',
])('%s is a question, not an instruction', (text) => expect(of(text)).toBeUndefined());

test.each([
  'Could you add tests for it?',
  'Please use tabs, would you?',
  'Use Redis. Is that all right?',
  '请使用 PostgreSQL 数据库',
  'Fix this:\n```ts\nconst a = b?\n```\nDoes it compile?',
])('%s is an instruction', (text) => expect(of(text)?.text).toBe(text));

test('a standing instruction is more important than a single request, whatever it is about', () => {
  const once = 'Fix the error in the TypeScript API of the database on port 80.';
  for (const rule of [
    'Never push to main.',
    'All dates are in UTC.',
    'Antworte immer auf Deutsch.',
    '不要修改旧目录',
  ]) {
    expect(of(rule)?.importance).toBeGreaterThan(of(once)?.importance as number);
  }
});

test('neither a summary nor a message that only says to continue is an instruction', () => {
  expect(instructionOf({ ...user('Always use tabs.'), summary: true }, rules)).toBeUndefined();
  expect(of('ok')).toBeUndefined();
});
