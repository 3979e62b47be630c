import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { openaiCodec } from '@ctx/codec-openai';
import { CtxError, type Message } from '@ctx/core';
import { readSession } from '@ctx/sessions';
import { repaired } from '../bench-session.js';
import { type CountTokens, totalTokens } from '../count-tokens.js';
import { readable } from './exam-session.js';

/** Messages after a cut: enough to see what the agent really needed. */
const futureMessages = 45;
/** Fewer say too little about what was needed. */
const leastFuture = 30;

interface PrepareOptions {
  /** The most tokens before the cut. */
  readonly prefixTokens: number;
  readonly tokensOf: CountTokens;
  /** @default the file's name */
  readonly name?: string | undefined;
}

/**
 * Cuts a recorded session before a message of the agent and writes `prefix.json`, `full.txt` with numbered messages, and `future.txt`, from
 * which questions are written.
 * @throws CtxError as `readSession`, and `option-invalid` for a session that is too short
 */
export async function prepareExam(
  folder: string,
  file: string,
  { prefixTokens, tokensOf, name = basename(file).replace(/\.\w+$/, '') }: PrepareOptions,
) {
  const session = await readSession(file, { lenient: true });
  const messages = repaired(session.messages).filter(({ role }) => role !== 'system');
  const cut = lastCut(messages, prefixTokens, tokensOf);
  if (cut === undefined)
    throw new CtxError({
      code: 'option-invalid',
      problem: `The session has no place to cut between ${prefixTokens / 2} and ${prefixTokens} tokens with ${leastFuture} messages after it`,
      place: file,
      remedy: 'Give a longer session, or fewer tokens: --prefix 30k.',
    });
  const own = join(folder, name);
  mkdirSync(own, { recursive: true });
  const prefix = messages.slice(0, cut);
  const write = (to: string, text: string) => writeFileSync(join(own, to), text);
  write('prefix.json', `${JSON.stringify({ messages: openaiCodec.fromMessages(prefix) })}\n`);
  write('full.txt', readable(prefix, { isNumbered: true }));
  write('future.txt', readable(messages.slice(cut, cut + futureMessages), { isNumbered: true }));
  return { folder: own, messages: cut, tokens: totalTokens(prefix, tokensOf) };
}

/** The last message of the agent before which there are at most so many tokens, and at least half of them. */
function lastCut(messages: readonly Message[], most: number, tokensOf: CountTokens): number | undefined {
  let tokens = 0;
  let cut: number | undefined;
  for (const [at, message] of messages.entries()) {
    const fits = tokens >= most / 2 && tokens <= most && at < messages.length - leastFuture;
    if (fits && message.role === 'assistant') cut = at;
    tokens += tokensOf(message);
  }
  return cut;
}
