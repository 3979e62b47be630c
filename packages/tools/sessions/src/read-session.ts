import { parse } from 'node:path';
import { CtxError } from '@ctx/core';
import { marksOfAgents } from './agents.js';
import { detectFormat } from './files/detect.js';
import { recordsOf, type SessionRecord } from './files/records.js';
import { readerOf } from './formats.js';
import { type Note, type ReadOptions, type Session, sessionFormats } from './session.js';
import { Findings } from './telling/findings.js';

/** Number of records that are looked at to decide the format. */
const lookahead = 200;

/**
 * Reads the session of a file.
 * @throws CtxError as `readSessions`, and `session-record-invalid` if the file holds more than one conversation
 */
export async function readSession(path: string, options: ReadOptions = {}): Promise<Session> {
  let session: Session | undefined;
  for await (const next of readSessions(path, options)) {
    if (session !== undefined) {
      throw new CtxError({
        code: 'session-record-invalid',
        problem: 'The file holds more than one conversation',
        place: path,
        value: [session.id, next.id],
        remedy: 'Read it with readSessions, which returns one after the other.',
      });
    }
    session = next;
  }
  if (session === undefined) throw withoutConversation(path);
  return session;
}

/**
 * Reads every conversation of a file, one after the other. JSON lines are read as a stream; a file that is one JSON document is read
 * whole and must fit into a string, about 512 MB.
 * @throws CtxError `session-unreadable`, `session-empty`, `session-format-unknown`, and `session-record-invalid` with the file and line
 * of a broken record unless `lenient` is set
 */
export async function* readSessions(path: string, options: ReadOptions = {}): AsyncGenerator<Session> {
  const { lenient = false, format, from = 'start' } = options;
  const findings = new Findings(path, lenient);
  const records = recordsOf(path, findings);
  try {
    const head = format === undefined ? await firstOf(records) : [];
    const values = head.map((record) => record.value);
    const read = readerOf(format ?? detectFormat(values));
    if (read === undefined) throw formatUnknown(path, format ?? values[0]);
    const reading = { name: parse(path).name, findings, from };
    const silent: Session[] = [];
    let isEmpty = true;
    for await (const session of read(chain(head, records), reading)) {
      if (isEmpty && session.messages.length === 0) {
        silent.push(session);
        continue;
      }
      isEmpty = false;
      yield* silent.splice(0);
      yield session;
    }
    if (isEmpty) throw withoutConversation(path, silent[0]?.skipped[0]);
  } finally {
    await records.return(undefined);
  }
}

/** Takes enough records to recognise the format. */
async function firstOf(records: AsyncGenerator<SessionRecord>): Promise<SessionRecord[]> {
  const head: SessionRecord[] = [];
  while (head.length < lookahead) {
    const next = await records.next();
    if (next.done === true) break;
    head.push(next.value);
  }
  return head;
}

/** Both, one after the other. A generator would cost one more promise for each of millions of records. */
function chain<T>(head: readonly T[], rest: AsyncIterator<T>): AsyncIterable<T> {
  const first = [...head];
  const next = (): Promise<IteratorResult<T>> => {
    const value = first.shift();
    return value === undefined ? rest.next() : Promise.resolve({ done: false, value });
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

/** @param skipped the first unreadable record, if all of them are unreadable */
function withoutConversation(path: string, skipped?: Note): CtxError {
  return new CtxError({
    code: 'session-empty',
    problem:
      skipped === undefined
        ? 'The file holds no conversation'
        : `No message of the file can be read (${skipped.reason})`,
    place: skipped === undefined ? path : `${path}:${skipped.line}`,
    remedy: 'Give a file with at least one message.',
  });
}

function formatUnknown(path: string, value: unknown): CtxError {
  return new CtxError({
    code: 'session-format-unknown',
    problem: 'The format of the session is not known',
    place: path,
    value,
    remedy: `Known are ${sessionFormats.join(', ')}; name one as { format } if the file is in it. Looked for, in the first ${lookahead} records: ${marksOfAgents.join('; ')}; openai, anthropic and ai-sdk: messages { role, content } or { role, parts }, or objects { messages }; langchain: { type, data }.`,
  });
}
