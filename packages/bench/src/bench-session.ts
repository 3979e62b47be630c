import { basename, dirname } from 'node:path';
import { CtxError, createContextManager, type Message, type ModelId } from '@ctx/core';
import { readSessions, type Session } from '@ctx/sessions';

/** A conversation to measure on. */
export interface BenchSession {
  readonly id: string;
  /** The collection or the agent that it comes from. Every source counts the same in an average. */
  readonly source: string;
  readonly model: ModelId;
  /** The messages as a manager has them: a call that was never answered has a result that says so. */
  readonly messages: readonly Message[];
}

/**
 * Reads every conversation of the files.
 * @returns the conversations, and the errors of unreadable files
 */
export async function loadSessions(
  files: readonly string[],
): Promise<{ readonly sessions: BenchSession[]; readonly errors: CtxError[] }> {
  const sessions: BenchSession[] = [];
  const errors: CtxError[] = [];
  for (const file of files) {
    try {
      for await (const session of readSessions(file, { lenient: true }))
        sessions.push(benchSession(session, file));
    } catch (error) {
      if (!CtxError.isInstance(error)) throw error;
      errors.push(error);
    }
  }
  return { sessions, errors };
}

function benchSession(
  { id, messages, provider, model, source, format }: Session,
  file: string,
): BenchSession {
  const ownFormat = format === 'claude-code' || format === 'pi' ? format : basename(dirname(file));
  return { id, source: source ?? ownFormat, model: { provider, model }, messages: repaired(messages) };
}

/** No provider accepts a call without a result, so no candidate gets one. */
export function repaired(messages: readonly Message[]): Message[] {
  const manager = createContextManager();
  for (const message of messages) manager.append(message);
  return manager.transcript.map(({ message }) => message);
}
