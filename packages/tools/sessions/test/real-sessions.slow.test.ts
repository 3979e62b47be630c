import { join } from 'node:path';
import { anthropicCodec } from '@ctx/codec-anthropic';
import { openaiCodec } from '@ctx/codec-openai';
import { type Message, toolCallsOf } from '@ctx/core';
import { Transcript } from '@ctx/core/kit';
import { contextAt, readSession, readSessions, type Session } from '@ctx/sessions';
import { testWithFiles } from '@ctx/testing';
import { all, expectAccepted } from './session-file.js';

const data = join(__dirname, '../../../../../shared/data');

const fileOf = (name: string) => join(data, name);

function expectPairs(messages: readonly Message[], unanswered: number): void {
  const calls = messages.flatMap(toolCallsOf).map((call) => call.toolCallId);
  const results = messages.flatMap((message) =>
    message.role === 'tool' ? message.content.map((result) => result.toolCallId) : [],
  );
  expect(calls.length - results.length).toBe(unanswered);
}

/** Results of parallel calls arrive in any order; everything else comes one after the other. */
function expectAscending(messages: readonly Message[]): void {
  const times = messages.flatMap(({ role, createdAt }) =>
    role === 'tool' || createdAt === undefined ? [] : [createdAt],
  );
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(messages.every((message) => message.createdAt !== undefined)).toBe(true);
}

/** What would be sent to Anthropic's API is what it accepts. */
function expectSendable({ messages }: Session): void {
  const transcript = new Transcript();
  for (const message of messages) transcript.append(message);
  const native = anthropicCodec.fromMessages([...transcript].map((entry) => entry.message));
  expect(anthropicCodec.validate(native)).toEqual([]);
}

function expectPlausibleUsage({ usage = [] }: Session, most: number): void {
  expect(Math.max(...usage.map((report) => report.inputTokens))).toBe(most);
  expect(usage.every(({ outputTokens }) => outputTokens >= 0 && outputTokens < 64_000)).toBe(true);
}

describe.each([
  ['8463c716-a2ea-4c14-9efa-87158ebd9f20', 322, 143, 167_094],
  ['ae4a77f8-aedd-4bc1-888f-c94edc91af04', 463, 217, 141_787],
  ['agent-a7be2f0', 33, 13, 29_065],
])('Claude Code: %s', (name, messages, responses, mostTokens) => {
  const file = fileOf(`claude-code/${name}.jsonl`);
  testWithFiles('is read whole', [file], async () => {
    const session = await readSession(file);
    expectAccepted(session);
    expect(session.format).toBe('claude-code');
    expect(session.id).toBe(name.replace('agent-', ''));
    expect(session.messages).toHaveLength(messages);
    expect(session.usage).toHaveLength(responses);
    expect(session.skipped).toEqual([]);
    expectPairs(session.messages, 0);
    expectAscending(session.messages);
    expectPlausibleUsage(session, mostTokens);
    expectSendable(session);
  });
});

describe.each([
  ['8463c716-a2ea-4c14-9efa-87158ebd9f20', 163],
  ['ae4a77f8-aedd-4bc1-888f-c94edc91af04', 177],
])('Claude Code since the last compaction: %s', (name, messages) => {
  const file = fileOf(`claude-code/${name}.jsonl`);
  testWithFiles('begins with the summary', [file], async () => {
    const whole = await readSession(file);
    const session = { ...whole, messages: contextAt(whole).messages };
    expectAccepted({ ...session, usage: [] });
    expect(session.messages).toHaveLength(messages);
    expect(session.messages.map((message) => message.summary === true).indexOf(true)).toBe(0);
    expectPairs(session.messages, 0);
    expectSendable(session);
  });
});

const pi = fileOf('pi/large-session.jsonl');
testWithFiles('pi: 914 messages, 14 of them empty', [pi], async () => {
  const session = await readSession(pi);
  expectAccepted(session);
  expect(session).toMatchObject({ format: 'pi', provider: 'anthropic', model: 'claude-sonnet-4-5' });
  expect(session.messages).toHaveLength(900);
  expect(session.skipped.map(({ reason }) => reason)).toEqual(
    Array(14).fill('The response has no content (aborted)'),
  );
  expect(session.usage).toHaveLength(439);
  expect(session.usage?.filter((report) => report.aborted)).toHaveLength(8);
  expectPairs(session.messages, 18);
  expectAscending(session.messages);
  expectPlausibleUsage(session, 177_604);
  expectSendable(session);
});

describe.each([
  ['tau-bench-airline', 29, 1150],
  ['swe-agent', 8, 201],
])('OpenAI: %s', (name, conversations, messages) => {
  const file = fileOf(`openai-chat/${name}.jsonl`);
  testWithFiles('is read whole', [file], async () => {
    const sessions = await all(readSessions(file));
    expect(sessions).toHaveLength(conversations);
    expect(new Set(sessions.map((session) => session.id)).size).toBe(conversations);
    expect(sessions.flatMap((session) => session.messages)).toHaveLength(messages);
    for (const session of sessions) {
      expectAccepted(session);
      expectPairs(session.messages, 0);
      expect(openaiCodec.validate(openaiCodec.fromMessages(session.messages))).toEqual([]);
    }
  });
});
