import { type BenchSession, type Chat, loadChats, loadSessions } from '@ctx/bench';
import type { CtxError } from '@ctx/core';

export interface Inputs {
  readonly sessions: readonly BenchSession[];
  readonly chats: Chat[];
  readonly errors: readonly CtxError[];
}

/** Reads files: each holds chats with questions, or sessions of agents. */
export async function loadInputs(files: readonly string[]): Promise<Inputs> {
  const chats: Chat[] = [];
  const others: string[] = [];
  for (const file of files) {
    const found = await loadChats(file);
    if (found.length === 0) others.push(file);
    else chats.push(...found);
  }
  return { chats, ...(await loadSessions(others)) };
}
