import type { CompressTask } from '../candidates/candidate.js';
import { type CountTokens, totalTokens } from '../count-tokens.js';
import { budgetShares } from '../static-cuts.js';
import { type Chat, type ChatForm, chatMessages, formsOf } from './chat.js';

/** A chat in one form that is to be compressed to one share of its tokens. */
export interface ChatTask {
  readonly chat: Chat;
  readonly form: ChatForm;
  readonly share: number;
  /** The share of all chats that come before this one, 0–1. */
  readonly done: number;
  readonly task: CompressTask;
}

/** Every form of every chat with questions, at every budget. */
export function* chatTasks(chats: readonly Chat[], tokensOf: CountTokens): Generator<ChatTask> {
  for (const [index, chat] of chats.entries()) {
    if (chat.questions.length === 0) continue;
    for (const form of formsOf(chat)) {
      const prefix = chatMessages(chat, form);
      const prefixTokens = totalTokens(prefix, tokensOf);
      const cut = { position: prefix.length, prefix, prefixTokens, systemTokens: 0, needed: [] };
      for (const share of budgetShares) {
        const task = { cut, model: {}, budget: Math.floor(prefixTokens * share), tokensOf };
        yield { chat, form, share, done: index / chats.length, task };
      }
    }
  }
}
