import type { Candidate } from '../candidates/candidate.js';
import { type Chat, type ChatForm, chatMessages, formsOf } from '../chats/chat.js';
import { judgeOf } from '../chats/measure-chats.js';
import { type CountTokens, totalTokens } from '../count-tokens.js';
import { budgetShares } from '../static-cuts.js';
import { LeftView } from './left-view.js';

/** How much of what answers the questions about a chat is in a view, and in the view with one recall. 0–100, the mean over the questions. */
export interface ChatRecall {
  readonly candidate: string;
  readonly chat: string;
  readonly source: string;
  readonly form: ChatForm;
  readonly share: number;
  /** Turns of the evidence. */
  readonly before: number;
  readonly after: number;
  /** Questions whose evidence is there, all of it. */
  readonly answerableBefore: number;
  readonly answerableAfter: number;
}

export interface ChatRecallOptions {
  readonly tokensOf: CountTokens;
  /** Tokens of an answer. @default 1000 */
  readonly recallTokens?: number;
  onStep?(what: string, done: number): void;
}

/** Compresses chats without knowing the questions, then recalls each question once, in its own words. */
export async function measureChatRecalls(
  chats: readonly Chat[],
  { name, compress }: Candidate,
  { tokensOf, recallTokens = 1_000, onStep }: ChatRecallOptions,
): Promise<ChatRecall[]> {
  const results: ChatRecall[] = [];
  for (const [index, chat] of chats.entries()) {
    if (chat.questions.length === 0) continue;
    const judge = judgeOf(chat);
    for (const form of formsOf(chat)) {
      const prefix = chatMessages(chat, form);
      const prefixTokens = totalTokens(prefix, tokensOf);
      const cut = { position: prefix.length, prefix, prefixTokens, systemTokens: 0, needed: [] };
      for (const share of budgetShares) {
        onStep?.(`${chat.id}, ${form}: recall at ${share * 100} %`, index / chats.length);
        const budget = Math.floor(prefixTokens * share);
        const { messages } = await compress({ cut, model: {}, budget, tokensOf });
        const left = new LeftView(prefix, tokensOf);
        await left.update(messages);
        const answers = [];
        for (const { question } of chat.questions)
          answers.push(await left.recalled({ query: question }, recallTokens));
        const inBudget = totalTokens(messages, tokensOf) <= budget;
        const [before, after] = [judge(messages, inBudget), judge(messages, inBudget, answers)];
        results.push({
          candidate: name,
          chat: chat.id,
          source: chat.source,
          form,
          share,
          before: before.evidence,
          after: after.evidence,
          answerableBefore: before.answerable,
          answerableAfter: after.answerable,
        });
      }
    }
  }
  return results;
}
