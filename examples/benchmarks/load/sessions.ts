import { fileURLToPath } from 'node:url';
import { loadSessions, sessionFiles } from '@ctx/bench';
import { anthropicCodec } from '@ctx/codec-anthropic';
import { openaiCodec } from '@ctx/codec-openai';
import type { Message } from '@ctx/core';

/** A recorded session as the requests of an agent. */
export interface Replay {
  readonly path: string;
  /** How many of the messages each request has. */
  readonly ends: readonly number[];
  /** The body of a request, for one agent: its name stands in every text, so that a text that reaches another one is seen. */
  body(end: number, name: string): string;
}

/** Stands for the name of an agent. */
const placeholder = '@name@';
/** Sessions with fewer requests are left out. */
const fewestRequests = 5;

type Native = Record<string, unknown>;

/** The same value with a name at the beginning of every text that somebody says. */
function named(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(named);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      (key === 'text' || key === 'content') && typeof one === 'string' ? `${placeholder} ${one}` : named(one),
    ]),
  );
}

function replay(path: string, head: Native, natives: readonly Native[]): Replay | undefined {
  // Agents that say the same in the same session still have a conversation of their own.
  const pieces = [{ role: 'user', content: 'Begin.' }, ...natives].map((one) => JSON.stringify(named(one)));
  const ends = natives.flatMap(({ role }, at) => (role === 'assistant' ? [at + 1] : []));
  const begin = JSON.stringify({ ...head, stream: true }).slice(0, -1);
  return ends.length < fewestRequests
    ? undefined
    : {
        path,
        ends,
        body: (end, name) =>
          `${begin},"messages":[${pieces.slice(0, end).join(',')}]}`.replaceAll(placeholder, name),
      };
}

function replaysOf(messages: readonly Message[]): (Replay | undefined)[] {
  const { system, messages: blocks } = anthropicCodec.fromMessages(messages);
  const claude = { model: 'claude-sonnet-4-5', max_tokens: 8_000, ...(system !== undefined && { system }) };
  return [
    replay(
      '/v1/chat/completions',
      { model: 'gpt-5' },
      openaiCodec.fromMessages(messages) as unknown as Native[],
    ),
    replay('/v1/messages', claude, blocks as unknown as Native[]),
  ];
}

/** The recorded sessions, each for two APIs: those of the examples, and of ../shared/data if it is there. */
export async function replays(): Promise<readonly Replay[]> {
  const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const paths = [here('../../sessions'), here('../../../../shared/data')];
  const { sessions } = await loadSessions(paths.flatMap(sessionFiles));
  return sessions.flatMap(({ messages }) => replaysOf(messages)).filter((one) => one !== undefined);
}
