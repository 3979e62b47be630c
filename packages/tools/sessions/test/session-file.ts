import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anthropicCodec } from '@ctx/codec-anthropic';
import { openaiCodec, responsesCodec } from '@ctx/codec-openai';
import { type Codec, CtxError, type Message, messageText, toolCallsOf } from '@ctx/core';
import { Transcript } from '@ctx/core/kit';
import type { Session } from '@ctx/sessions';

const folder = mkdtempSync(join(tmpdir(), 'ctx-sessions-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a file into a folder of its own and gives its path. */
export function sessionFile(content: string | Buffer, name = 'session.jsonl'): string {
  const path = join(mkdtempSync(join(folder, 'file-')), name);
  writeFileSync(path, content);
  return path;
}

export function jsonLines(...records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** One line a message: its role, what it calls or answers, its text. */
export function outline(messages: readonly Message[]): string[] {
  return messages.map((message) => {
    const calls = toolCallsOf(message).map((call) => `call ${call.toolCallId}`);
    const results =
      message.role === 'tool' ? message.content.map((result) => `result ${result.toolCallId}`) : [];
    return [message.role, ...calls, ...results, messageText(message)].filter((word) => word !== '').join(' ');
  });
}

/** What holds for every session, whatever is in it. */
export function expectAccepted({ messages, usage = [] }: Session): void {
  const transcript = new Transcript();
  for (const message of messages) transcript.append(message);
  for (const { index, inputTokens, cacheReadTokens, cacheWriteTokens } of usage) {
    expect(messages[index]?.role).toBe('assistant');
    expect(inputTokens).toBeGreaterThanOrEqual(cacheReadTokens + cacheWriteTokens);
  }
}

/** What would be sent is what the APIs accept. Anthropic's wants the user to begin, which not every agent does. */
export function expectSendable(messages: readonly Message[]): void {
  expect(openaiCodec.validate(openaiCodec.fromMessages(messages))).toEqual([]);
  expect(responsesCodec.validate(responsesCodec.fromMessages(messages))).toEqual([]);
  const violations = anthropicCodec.validate(anthropicCodec.fromMessages(messages));
  const rules = messages[0]?.role === 'assistant' ? ['first-message-user'] : [];
  expect(violations.map(({ rule }) => rule)).toEqual(rules);
}

const codecs = [openaiCodec, responsesCodec, anthropicCodec] as readonly Codec<unknown>[];

/** What was sent in the form of any API is read and sent again as the same objects, and as equal ones after a snapshot. */
export function expectComesBack(messages: readonly Message[]): void {
  for (const { fromMessages, toMessages, losses } of codecs) {
    const sent = nativesIn(fromMessages(messages));
    const read = toMessages(sent);
    const again = nativesIn(fromMessages(read));
    expect(again.length === sent.length && again.every((one, at) => one === sent[at])).toBe(true);
    expect(nativesIn(fromMessages(JSON.parse(JSON.stringify(read))))).toEqual(sent);
    expect(losses(read)).toEqual([]);
  }
}

const nativesIn = (sent: unknown): unknown[] =>
  Array.isArray(sent) ? sent : (sent as { messages: unknown[] }).messages;

/** Checks the code and place of the error that a promise is rejected with, and gives the error. */
export async function expectRefused(promise: Promise<unknown>, code: CtxError['code'], place: string) {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!CtxError.isInstance(error)) throw new Error(`Rejected with a CtxError was expected, got ${error}`);
  expect([error.code, error.place]).toEqual([code, place]);
  return error;
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
