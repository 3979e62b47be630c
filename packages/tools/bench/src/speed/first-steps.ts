import { execFileSync } from 'node:child_process';
import { type Message, MessageCounter } from '@ctx/core';
import { ContextRequests } from '@ctx/fetch';
import { createContextManager } from '@ctx/presets';
import { readSession } from '@ctx/sessions';
import { median } from '../averages.js';
import { conversation, counter } from './conversation.js';
import { type Figures, timed, timedWithPause } from './timing.js';

/** Median of the ms that a script prints, each run in a new process. */
function inFreshProcess(script: string): number {
  const run = () =>
    Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));
  return median(Array.from({ length: 9 }, run));
}

/** What a program waits for before it can do anything. */
export function startUp(figures: Figures): void {
  const core = import.meta.resolve('@ctx/core');
  const importing = (url: string) =>
    inFreshProcess(
      `const start = performance.now(); await import(${JSON.stringify(url)}); console.log(performance.now() - start)`,
    );
  figures.below('import @ctx/core, in a fresh process', importing(core), 60);
  const presets = import.meta.resolve('@ctx/presets');
  figures.below('import @ctx/presets, in a fresh process', importing(presets), 120);
  const firstCountMs = inFreshProcess(
    `const { bpeCounter } = await import(${JSON.stringify(core)}); const counter = bpeCounter(); const start = performance.now(); await counter.load(); counter.count('hello world'); console.log(performance.now() - start)`,
  );
  figures.below('first count, tokenizer loaded for it', firstCountMs, 400);
}

/**
 * The default settings on a conversation that is long already when it is compressed for the first time. To be called before anything else in
 * the process, as in a program that has just started.
 * @param sessions files, of which the conversation is made
 */
export async function firstCompression(figures: Figures, sessions: readonly string[]): Promise<void> {
  const texts = new MessageCounter(counter);
  await texts.load();
  const tokensOf = (message: Message) => texts.message(message).tokens;
  const messages = await longSession(190_000, { tokensOf, sessions });
  const config = { contextWindow: 1_000_000_000, throttleMs: 0 };
  const manager = createContextManager({
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    counter,
    config,
  });
  for (const message of messages) manager.append(message);
  const targetTokens = Math.floor(manager.stats().currentTokens / 2);
  const { ms, pauseMs } = await timedWithPause(() => manager.compress({ targetTokens }));
  figures.step('first compression');
  figures.below('first compression of 190,000 tokens, in a fresh process', ms, 2_000);
  figures.below('longest pause of the event loop in the first compression of 190,000 tokens', pauseMs, 20);
}

/** Names with a capital inside, ids and numbers, which are others in each copy. */
const names = /\b(?:[a-z]+[A-Z]|call_|toolu_|\d{3,})/g;
/** Fields that are not text of the conversation. */
const fixed = new Set(['role', 'type', 'toolName']);

/** Messages of the conversation that stands in for sessions: enough for a round of everything. */
const invented = 500;

/** The sessions, or an invented conversation if there are none, without their system prompts, again and again, with other names each time, until they have this number of tokens. */
async function longSession(
  tokens: number,
  {
    tokensOf,
    sessions,
  }: { readonly tokensOf: (message: Message) => number; readonly sessions: readonly string[] },
): Promise<Message[]> {
  const recorded: Message[] = [];
  if (sessions.length === 0) recorded.push(...conversation(invented));
  for (const file of sessions) recorded.push(...(await readSession(file)).messages);
  const text = JSON.stringify(recorded.filter(({ role }) => role !== 'system'));
  const messages: Message[] = [];
  for (let [copy, size] = [0, 0]; size < tokens; copy += 1) {
    const renamed = JSON.parse(text, (key, value: unknown) =>
      typeof value === 'string' && !fixed.has(key) ? value.replace(names, (name) => `${name}${copy}`) : value,
    ) as Message[];
    for (const message of renamed) {
      if (size >= tokens && message.role !== 'tool') break;
      messages.push(message);
      size += tokensOf(message);
    }
  }
  return messages;
}

const url = 'http://127.0.0.1/v1/chat/completions';
const answered = async () => Response.json({ usage: {} });
const bodyOf = (messages: readonly unknown[]) => JSON.stringify({ model: 'gpt-5', messages });

/** A step of an agent: a call, its result of so many lines, and what it says of it. */
function stepOf(at: number, lines: number): readonly unknown[] {
  const id = `call-${at}`;
  const call = { name: 'read', arguments: JSON.stringify({ path: `src/${at}.ts` }) };
  const content = Array.from(
    { length: lines },
    (_, line) => `const value${at} = load(${line}, ${at * line});`,
  );
  return [
    { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: call }] },
    { role: 'tool', tool_call_id: id, content: content.join('\n') },
    { role: 'assistant', content: `File ${at} has ${lines} values.` },
    { role: 'user', content: `And src/${at + 1}.ts?` },
  ];
}

const stepsOf = (count: number, lines: number) =>
  Array.from({ length: count }, (_, at) => stepOf(at, lines)).flat();

/** The requests of a conversation that fits, each of which has a step more than the one before. */
export async function laterRequests(figures: Figures): Promise<void> {
  const requests = new ContextRequests({ config: { contextWindow: 10_000_000 } });
  const messages: unknown[] = [{ role: 'user', content: 'What is in src?' }, ...stepsOf(100, 40)];
  await requests.send(url, { method: 'POST', body: bodyOf(messages) }, { send: answered });
  let step = 100;
  const { ms: taken } = await timed(
    () => {
      messages.push(...stepOf(step++, 4));
      return new TextEncoder().encode(bodyOf(messages));
    },
    (body) => requests.send(url, { method: 'POST', body }, { send: answered }),
    { maxRuns: 200 },
  );
  figures.step('later requests');
  figures.below('contextFetch, a request of 170 kB with one step more', taken, 1);
}
