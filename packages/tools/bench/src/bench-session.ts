import { basename, dirname } from 'node:path';
import { CtxError, createContextManager, type Message, type ModelId } from '@ctx/core';
import { type Compaction, readSessions, type Session, type SessionFormat } from '@ctx/sessions';

/** A conversation to measure on. */
export interface BenchSession {
  readonly id: string;
  /** The collection or the agent that it comes from. */
  readonly source: string;
  readonly model: ModelId;
  /** The messages as a manager has them: a call that was never answered has a result that says so. */
  readonly messages: readonly Message[];
  /** Where the agent itself compacted the conversation. Missing if it never did. */
  readonly compactions?: readonly BenchCompaction[];
}

/** What an agent had in its context, and what was said after it put a summary in its place. Both are as a manager has them. */
interface BenchCompaction {
  readonly before: readonly Message[];
  readonly after: readonly Message[];
  /** The text of the agent's summary; missing if only the provider can read it. */
  readonly summary?: string;
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

/** The formats of APIs: what is in them may be from anywhere. */
const apis: readonly SessionFormat[] = ['openai', 'anthropic'];

/**
 * A conversation of a file, as it is measured.
 * @param file its path; the folder of a conversation in an API's form is its source
 */
export function benchSession(session: Session, file: string): BenchSession {
  const { id, messages, provider, model, source, format, compactions } = session;
  const origin = apis.includes(format) ? basename(dirname(file)) : format;
  return {
    id,
    source: source ?? origin,
    model: { provider, model },
    messages: repaired(messages),
    ...(compactions !== undefined && { compactions: compactions.map((one) => sidesOf(one, messages)) }),
  };
}

function sidesOf(compaction: Compaction, messages: readonly Message[]): BenchCompaction {
  const { at, before, summary } = compaction;
  return {
    before: repaired(before),
    after: repaired(messages.slice(at)),
    ...(summary !== undefined && { summary }),
  };
}

/** No provider accepts a call without a result, so no candidate gets one. */
export function repaired(messages: readonly Message[]): Message[] {
  const manager = createContextManager();
  for (const message of messages) manager.append(message);
  return manager.transcript.map(({ message }) => message);
}
