import { anthropicCodec } from '@ctx/codec-anthropic';
import type { Message } from '@ctx/core';
import { mean } from '../averages.js';
import type { Candidate } from '../candidates/candidate.js';
import { type CountTokens, totalTokens } from '../count-tokens.js';
import { readerOf, spanOf } from '../passages.js';
import { textOf } from '../spoken.js';
import type { Chat, ChatForm } from './chat.js';
import { chatTasks } from './chat-tasks.js';
import { contentWordsIn, wordFinder } from './content-words.js';

/** One candidate on one chat at one budget. Shares are 0–100, and 0 if the result is over the budget or not valid for Anthropic. */
export interface ChatResult {
  readonly candidate: string;
  /** The chat's id. */
  readonly session: string;
  readonly source: string;
  readonly form: ChatForm;
  /** Of the chat's tokens. */
  readonly share: number;
  readonly questions: number;
  /** Questions whose evidence survives word for word, all of it. A turn without any word of content, such as "Yeah.", is not evidence. */
  readonly answerable: number;
  /** The part of its evidence that survives, averaged over the questions. */
  readonly evidence: number;
  /** The part of its answer's words of content that survive, averaged over the questions with such words. */
  readonly answerWords: number | undefined;
}

interface ChatOptions {
  readonly candidates: readonly Candidate[];
  readonly tokensOf: CountTokens;
  /** Called before each compression, with the share of all work that is done, 0–1. */
  onStep?(what: string, done: number): void;
}

/** Compresses chats without knowing the questions, and looks for what answers them. */
export async function measureChats(
  chats: readonly Chat[],
  { candidates, tokensOf, onStep }: ChatOptions,
): Promise<ChatResult[]> {
  const results: ChatResult[] = [];
  for (const { chat, form, share, done, task } of chatTasks(chats, tokensOf)) {
    const judge = judgeOf(chat);
    for (const { name, compress } of candidates.filter(({ kind }) => kind !== 'bound')) {
      onStep?.(`${chat.id}, ${form}: ${name} to ${share * 100} %`, done);
      const { messages } = await compress(task);
      const about = { candidate: name, session: chat.id, source: chat.source, form, share };
      results.push({ ...about, ...judge(messages, totalTokens(messages, tokensOf) <= task.budget) });
    }
  }
  return results;
}

type Verdict = Pick<ChatResult, 'questions' | 'answerable' | 'evidence' | 'answerWords'>;

/** Says what answers a chat's questions in its compressed messages and, if there is one, in a text found for each question. */
export function judgeOf({
  turns,
  questions,
}: Chat): (compressed: readonly Message[], inBudget: boolean, found?: readonly string[]) => Verdict {
  const spans = new Map(turns.map(({ id, text }) => [id, spanOf(text)]));
  const contentWords = contentWordsIn(turns.map(({ text }) => text));
  const telling = new Set(turns.filter(({ text }) => contentWords(text).length > 0).map(({ id }) => id));
  const asked = questions.map(({ evidence, answer }) => {
    const told = evidence.filter((id) => telling.has(id));
    return {
      spans: (told.length === 0 ? evidence : told).flatMap((id) => spans.get(id) ?? []),
      words: contentWords(answer),
    };
  });
  return (compressed, inBudget, texts) => {
    const isValid = anthropicCodec.validate(anthropicCodec.fromMessages(compressed)).length === 0;
    const usable = inBudget && isValid ? 100 : 0;
    const [reads, says] = [readerOf(compressed), wordFinder(compressed.map(textOf).join('\n'))];
    const found = asked.map(({ spans: told }, index) => {
      const readsMore = texts && readerOf([{ role: 'user', content: texts[index] ?? '' }]);
      return told.filter((one) => reads(one) || readsMore?.(one)).length / told.length;
    });
    const worded = asked.filter(({ words }) => words.length > 0);
    const words = worded.map((one) => one.words.filter(says).length / one.words.length);
    return {
      questions: asked.length,
      answerable: (usable * found.filter((share) => share === 1).length) / asked.length,
      evidence: usable * mean(found),
      answerWords: words.length === 0 ? undefined : usable * mean(words),
    };
  };
}
