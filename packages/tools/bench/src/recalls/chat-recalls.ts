import type { Candidate } from '../candidates/candidate.js';
import type { Chat, ChatForm } from '../chats/chat.js';
import { chatTasks } from '../chats/chat-tasks.js';
import { judgeOf } from '../chats/measure-chats.js';
import { type CountTokens, totalTokens } from '../count-tokens.js';
import { LeftView } from './left-view.js';

/** How much of what answers the questions about a chat is in a view, and in the view with one recall. 0–100, the mean over the questions. */
export interface ChatRecall {
  readonly candidate: string;
  /** The chat's id. */
  readonly session: string;
  readonly source: string;
  readonly form: ChatForm;
  readonly share: number;
  /** Turns of the evidence. */
  readonly before: number;
  readonly after: number;
  /** Questions whose evidence is there, all of it. */
  readonly answerableAfter: number;
}

interface ChatRecallOptions {
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
  for (const { chat, form, share, done, task } of chatTasks(chats, tokensOf)) {
    onStep?.(`${chat.id}, ${form}: recall at ${share * 100} %`, done);
    const judge = judgeOf(chat);
    const { messages } = await compress(task);
    const left = new LeftView(task.cut.prefix, tokensOf);
    await left.update(messages);
    const answers = [];
    for (const { question } of chat.questions)
      answers.push(await left.recalled({ query: question }, recallTokens));
    const inBudget = totalTokens(messages, tokensOf) <= task.budget;
    const [before, after] = [judge(messages, inBudget), judge(messages, inBudget, answers)];
    results.push({
      candidate: name,
      session: chat.id,
      source: chat.source,
      form,
      share,
      before: before.evidence,
      after: after.evidence,
      answerableAfter: after.answerable,
    });
  }
  return results;
}
