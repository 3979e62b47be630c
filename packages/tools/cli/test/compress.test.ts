import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from '@ctx/cli';
import { type KnownStrategies, messageText, strategyNames } from '@ctx/core';
import { defaults } from '@ctx/presets';
import { readSession } from '@ctx/sessions';
import { strategyNamesKnown } from '../src/compress/strategy-names.js';
import { ctx, didYouMean, lateCheck, sessionWith, temporaryFolder } from './run-ctx.js';
import { newestResult, oldResult, task, unreadSession } from './unread-session.js';

test('the strategies that can be named are those that are registered, and those that an editor offers', () => {
  type Named = (typeof strategyNamesKnown)[number];
  const same: [Named, keyof KnownStrategies] extends [keyof KnownStrategies, Named] ? true : false = true;
  expect(same).toBe(true);
  expect(strategyNamesKnown).toEqual([...strategyNames(defaults())].sort());
});

test('a session becomes a quarter of it, in the format it came in, and can be read again', async () => {
  const folder = temporaryFolder();
  const out = join(folder, 'small.jsonl');
  const { status, stdout, stderr } = await ctx(['compress', lateCheck, '--to', '25%', '--out', out]);
  expect([status, stdout]).toEqual([exitCodes.done, '']);
  const [, before = '', after = ''] = /^([\d,]+) tokens became ([\d,]+) \(\d+ %\)/.exec(stderr) ?? [];
  const tokens = (text: string) => Number(text.replaceAll(',', ''));
  expect(tokens(after)).toBeLessThanOrEqual(tokens(before) / 4);
  const session = await readSession(out);
  expect(session.format).toBe('openai');
  expect(session.messages.length).toBeLessThan(104);
  // Nothing but the file is left behind.
  expect(readdirSync(folder)).toEqual(['small.jsonl']);
});

test('numbers are written as they were read', async () => {
  const folder = temporaryFolder();
  const session = join(folder, 'orders.json');
  const call = (at: number) =>
    `{"type":"tool_use","id":"t${at}","name":"find_order","input":{"order":12345678901234567${at + 10},"rate":1.0}}`;
  const messages = Array.from({ length: 40 }, (_, at) => [
    `{"role":"assistant","content":[${call(at)}]}`,
    `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t${at}","content":"${'order found '.repeat(40)}"}]}`,
  ]).flat();
  const first = '{"role":"user","content":"Find all orders."}';
  writeFileSync(session, `{"model":"claude-sonnet-4-5","messages":[${[first, ...messages].join(',')}]}`);
  const options = ['--strategy', 'oldest-removal', '--to', '50%'];
  const { status, stdout } = await ctx(['compress', session, ...options]);
  expect(status).toBe(exitCodes.done);
  const ids = stdout.match(/"order": \d+/g) ?? [];
  expect(ids.at(-1)).toBe('"order": 1234567890123456749');
  expect(new Set(ids).size).toBe(ids.length);
  expect(stdout.match(/"rate": 1\.0/g)).toHaveLength(ids.length);
});

test('without --out the session is all that stands on the standard output', async () => {
  const { stdout, stderr } = await ctx(['compress', didYouMean, '--to', '50%']);
  expect(JSON.parse(stdout).messages).toContainEqual(expect.objectContaining({ role: 'user' }));
  expect(stderr).toMatch(/tokens became/);
});

test('a target is no window: the task and what is unread stay word for word, and the miss is said', async () => {
  const out = join(temporaryFolder(), 'small.json');
  const { status, stderr } = await ctx(['compress', unreadSession(), '--to', '800', '--out', out]);
  expect(status).toBe(exitCodes.short);
  const text = readFileSync(out, 'utf8');
  expect(text).toContain(task);
  expect(text).toContain(newestResult);
  expect(text).not.toContain(oldResult(3));
  expect(stderr).toMatch(
    /The target of 800 was missed by [\d,]+ tokens, because [\d,]+ have to stay: the task and the newest message of the user \([\d,]+\), what the model has not read yet \([\d,]+\)\./,
  );
});

test('a window that is asked for holds: what is unread is cut only as far as it forces', async () => {
  const out = join(temporaryFolder(), 'small.json');
  const args = ['compress', unreadSession(), '--to', '800', '--window', '3k', '--json', '--out', out];
  const { tokensAfter, missedTokens, staying } = JSON.parse((await ctx(args)).stdout);
  expect(tokensAfter).toBeLessThanOrEqual(3_000);
  expect(tokensAfter).toBeGreaterThan(2_000);
  expect(missedTokens).toBe(tokensAfter - 800);
  expect(staying.unread).toBeGreaterThan(0);
});

test('a strategy alone that falls short has an exit code of its own, and its result is written', async () => {
  const out = join(temporaryFolder(), 'short.json');
  const { status, stderr } = await ctx([
    ...['compress', lateCheck, '--strategy', 'tool-results', '--to', '5%', '--out', out],
  ]);
  expect(status).toBe(exitCodes.short);
  expect(stderr).toMatch(
    /with tool-results\. The target of [\d,]+ was missed by [\d,]+ tokens: no more can go with tool-results/,
  );
  expect(readFileSync(out, 'utf8')).toContain('"messages"');
});

test('a target that the session does not reach changes nothing', async () => {
  const { status, stdout } = await ctx(['compress', didYouMean, '--to', '1m', '--json']);
  expect(status).toBe(exitCodes.done);
  const { tokensBefore, tokensAfter, messagesBefore, messagesAfter } = JSON.parse(stdout);
  expect([tokensAfter, messagesAfter]).toEqual([tokensBefore, messagesBefore]);
});

test('as JSON it says what happened, and holds the messages unless they went to a file', async () => {
  const { stdout } = await ctx(['compress', didYouMean, '--to', '50%', '--json']);
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ isShort: false });
  expect(report.messages).toHaveLength(report.messagesAfter);
  const out = join(temporaryFolder(), 'out');
  const other = JSON.parse((await ctx(['compress', didYouMean, '--json', '--out', out])).stdout);
  expect(other).toMatchObject({ out });
  expect(other).not.toHaveProperty('messages');
});

test('a session of an agent that can only be read is written as messages of the AI SDK, and it says so', async () => {
  const folder = temporaryFolder();
  const out = join(folder, 'small.json');
  const records = [
    { type: 'session', id: 'p' },
    { type: 'message', message: { role: 'user', content: 'hello' } },
    { type: 'message', message: { role: 'assistant', content: [{ type: 'text', text: 'hi' }] } },
  ];
  const file = sessionWith(records);
  const { status, stderr } = await ctx(['compress', file, '--to', '100%', '--out', out]);
  expect(status).toBe(exitCodes.done);
  expect(stderr).toContain('Written as ai-sdk: pi can only be read.');
  const [before, after] = [await readSession(file), await readSession(out, { format: 'ai-sdk' })];
  expect(after.messages.map(messageText)).toEqual(before.messages.map(messageText));
});
