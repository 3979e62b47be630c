import { type Message, partsOf } from '@ctx/core';
import type { BenchSession } from '../bench-session.js';
import { type Fact, factText, ruleText } from '../loop/phrases.js';
import { Draw } from '../loop/scenario.js';

/** What the user said once in a stream and expects to be kept: every text is a message of its own. */
export interface Planted {
  readonly rules: readonly string[];
  readonly facts: readonly string[];
}

/** Rules are said at the beginning; facts one by one, each after so many more messages. */
const ruleCount = 5;
const factCount = 20;
const messagesBetweenFacts = 40;

/** The texts that are planted in every stream. */
export function plantedTexts(): Planted {
  const draw = new Draw(4);
  const fact = (at: number): Fact => ({
    subject: `berth of the ${draw.words(2)} ${at + 1}`,
    value: `${draw.word().slice(0, 2).toUpperCase()}-${draw.below(90_000) + 10_000}`,
  });
  return {
    rules: Array.from({ length: ruleCount }, () => ruleText(`${draw.word()}-${draw.below(900) + 100}`)),
    facts: Array.from({ length: factCount }, (_, at) => factText(fact(at))),
  };
}

/** One endless conversation: the sessions one after the other, again and again, without their system prompts, with the planted texts. */
export function* streamOf(
  sessions: readonly BenchSession[],
  { rules, facts }: Planted,
): Generator<Message, void, undefined> {
  yield { role: 'system', content: 'You are a careful engineer.' };
  for (const content of rules) {
    yield { role: 'user', content };
    yield { role: 'assistant', content: 'Noted.' };
  }
  const waiting = [...facts];
  let since = 0;
  for (const message of endless(sessions)) {
    since += 1;
    const isDue = message.role === 'assistant' && since >= messagesBetweenFacts;
    const content = isDue ? waiting.shift() : undefined;
    if (content !== undefined) {
      since = 0;
      yield { role: 'user', content };
    }
    yield message;
  }
}

function* endless(sessions: readonly BenchSession[]): Generator<Message, void, undefined> {
  if (sessions.every(({ messages }) => messages.length === 0)) return;
  for (let lap = 0; ; lap += 1)
    for (const [index, { messages }] of sessions.entries())
      for (const message of messages)
        if (message.role !== 'system') yield renamed(message, `${lap}-${index}-`);
}

/** A message as another conversation would have it: ids of calls are its own. */
function renamed({ id: _, native: __, ...message }: Message, prefix: string): Message {
  const content = partsOf(message as Message).map((part) =>
    part.type === 'tool-call' || part.type === 'tool-result'
      ? { ...part, toolCallId: `${prefix}${part.toolCallId}` }
      : part,
  );
  return { ...message, content } as Message;
}
