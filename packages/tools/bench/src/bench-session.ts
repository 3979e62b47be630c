import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ContextManager, CtxError, type Message, type ModelId } from '@ctx/core';
import { readSessions, type Session, type SessionFormat } from '@ctx/sessions';

/** A conversation to measure on. */
export interface BenchSession {
  readonly id: string;
  /** The collection or the agent that it comes from. */
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

/** The formats of APIs: what is in them may be from anywhere. */
const apis: readonly SessionFormat[] = ['openai', 'anthropic'];

/**
 * A conversation of a file, as it is measured.
 * @param file its path; the folder of a conversation in an API's form is its source
 */
export function benchSession(session: Session, file: string): BenchSession {
  const { id, messages, provider, model, source, format } = session;
  const origin = apis.includes(format) ? basename(dirname(file)) : format;
  return { id, source: source ?? origin, model: { provider, model }, messages: repaired(messages) };
}

/** No provider accepts a call without a result, so no candidate gets one. */
export function repaired(messages: readonly Message[]): Message[] {
  const manager = new ContextManager();
  for (const message of messages) manager.append(message);
  return manager.transcript.map(({ message }) => message);
}

/** Holds sessions of scripted models. They show a format, not what an agent needs. */
const made = 'made';

/**
 * The session files at a path: the file itself, or all files below a folder, in order of their names. Those in a folder `made` are left
 * out, unless it is the path. Empty if the path does not exist.
 */
export function sessionFiles(path: string): string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => name !== made)
    .sort()
    .flatMap((name) => sessionFiles(join(path, name)))
    .filter((file) => /\.jsonl?$/.test(file));
}
