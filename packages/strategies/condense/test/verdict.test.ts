import { words } from '@ctx/testing';
import { summaryPrompt } from '../src/prompt.js';
import { flawOf } from '../src/verdict.js';

const good = '## Previous Conversation\nThe user wants a parser in src/parse.ts. It fails on `a.b`.';

test('a summary has no flaw', () => {
  expect(flawOf(good, 'b0', summaryPrompt)).toBeUndefined();
  expect(flawOf('用户要求使用 PostgreSQL 数据库，并完成用户认证。', 'b0', summaryPrompt)).toBeUndefined();
});

test.each([
  ['empty', ' \n '],
  ['short', 'OK'],
  ['short', 'null'],
  ['refused', "I'm sorry, but I can't help with that."],
  ['refused', 'I am sorry, but I cannot assist with this.'],
  ['refused', 'I’m sorry, but I can’t help with that.'],
  ['refused', 'I apologize, this conversation is not one that I can summarise.'],
  ['refused', '非常抱歉，我不能总结这段对话的内容。'],
  ['refused', '抱歉，我无法完成这个请求。'],
  ['error', '{"error": {"message": "overloaded"}}'],
  ['error', 'Internal Server Error'],
  ['error', '<html><body>502 Bad Gateway</body></html>'],
  ['echo', `Here it is:\n<history-b0>\n### Message #1, user\nhi\n</history-b0>`],
  ['echo', summaryPrompt],
  ['garbage', '%%%%$$$$ ---- //// \u0000\u0001 ||||| ****'],
  ['repetition', 'the same line again\n'.repeat(40)],
])('%s', (flaw, text) => {
  expect(flawOf(text, 'b0', summaryPrompt)).toBe(flaw);
});

test('a long summary may begin with an apology or mention errors', () => {
  expect(
    flawOf(`I'm sorry is what the assistant said first. ${words(300, 'then')}`, 'b0', summaryPrompt),
  ).toBeUndefined();
  expect(
    flawOf(`Error: no such file was solved.\n${words(300, 'then')}`, 'b0', summaryPrompt),
  ).toBeUndefined();
});

test('a prompt of one’s own is an echo, too, whole or by its long lines', () => {
  const own = `Be brief.\n${words(20, 'first')}\n${words(20, 'second')}`;
  expect(flawOf(own, 'b0', own)).toBe('echo');
  expect(flawOf(`Sure.\n${words(20, 'first')}\n${words(20, 'second')}`, 'b0', own)).toBe('echo');
  expect(flawOf(good, 'b0', own)).toBeUndefined();
});

test('of a giant answer the beginning is read, as far as a summary could go', () => {
  const lines = Array.from({ length: 5_000 }, (_, at) => `${at}: the user asked about file ${at}`).join('\n');
  const repeated = 'the same line again\n'.repeat(200_000);
  expect(lines.length).toBeGreaterThan(100_000);
  expect(flawOf(`${lines}\n${repeated}`, 'b0', summaryPrompt)).toBeUndefined();
  expect(flawOf(repeated, 'b0', summaryPrompt)).toBe('repetition');
});
