import { memoryArchive } from '@ctx/archive';
import { type ChatMessage, openaiCodec } from '@ctx/codec-openai';
import { words } from '@ctx/testing';
import { Conversations, type ConversationsOptions, memoryStateStore } from '../src/index.js';
import { assistant, called, user } from './chat.js';

const config = { contextWindow: 100_000, arrivals: { over: 1_000, to: 300 } };
const request = { provider: 'openai', model: 'gpt-5', scope: 'me' };
const archive = memoryArchive;

/** A task, and so many calls with large results, each an answer to the one before. */
const historyOf = (calls: number): ChatMessage[] => [
  user('Find the fault'),
  ...Array.from({ length: calls }, (_, at) =>
    called(`c${at}`, 'read', words(1_500, `line${at}\n`), `{"path":"${at}.ts"}`),
  ).flat(),
];

/** What is sent for a history; `killed`: the process ends before the answer. */
async function sentBy(of: Conversations<ChatMessage[]>, history: ChatMessage[], killed = false) {
  const turn = await of.turn(structuredClone(history), request);
  const sent = await turn.prepare();
  if (!killed) await turn.answered(undefined);
  return sent.map(({ content }) => content);
}

const conversationsWith = (options: ConversationsOptions) =>
  new Conversations(openaiCodec, { config, archive, ...options });

test('another process sends the same excerpts, even if one was killed before the answer', async () => {
  const states = memoryStateStore();
  let before: unknown[] = [];
  for (let calls = 1; calls <= 5; calls += 1) {
    const sent = await sentBy(conversationsWith({ states }), historyOf(calls), true);
    expect(sent.slice(0, before.length)).toEqual(before);
    before = sent;
  }
  expect(before.filter((content) => String(content).includes('Excerpt of'))).toHaveLength(5);
});

test('a fork has the excerpts of the conversation that it departs from', async () => {
  const of = conversationsWith({});
  const before = await sentBy(of, historyOf(4));
  await sentBy(of, historyOf(6));
  const fork = [...historyOf(4), assistant('No.'), user('Why?')];
  expect((await sentBy(of, fork)).slice(0, before.length)).toEqual(before);
});

test('arrivals without an archive are refused before the first request; an archive may be made later', () => {
  expect(() => conversationsWith({ archive: undefined })).toThrow(
    expect.objectContaining({
      code: 'config-invalid',
      place: 'arrivals',
      remedy: expect.stringMatching(/archive/),
    }),
  );
  expect(() => conversationsWith({})).not.toThrow();
});

test('arrivals of a rule are refused without an archive, before its model is asked', () => {
  const config = { rules: [{ model: 'claude*' }, { model: 'gpt*', arrivals: { over: 2_000, to: 500 } }] };
  expect(() => new Conversations(openaiCodec, { config })).toThrow(
    expect.objectContaining({ code: 'config-invalid', place: 'rules[1].arrivals' }),
  );
  expect(() => new Conversations(openaiCodec, { config, archive: memoryArchive() })).not.toThrow();
});
