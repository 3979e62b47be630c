import { parse } from 'node:path';
import { CtxError } from '@ctx/core';
import { ClaudeCode } from './claude-code/claude-code.js';
import { Codex } from './codex.js';
import { Findings } from './conversation/findings.js';
import { type FileContent, sessionOf } from './conversation/session-of.js';
import { Copilot } from './copilot.js';
import { detectFormat, marksOfAgents } from './files/detect.js';
import { recordsOf, type SessionRecord } from './files/records.js';
import { Gemini } from './gemini/gemini.js';
import { Opencode } from './opencode/opencode.js';
import { Pi } from './pi.js';
import { conversationReaders, type StoredFormat } from './requests/conversations.js';
import { type Note, type ReadOptions, type Session, type SessionFormat, sessionFormats } from './session.js';

/** Takes the records of the one session in the file of an agent. */
interface AgentReader {
  add(record: SessionRecord): void;
  /** Everything that the file holds; called once, after the last record. */
  content(): FileContent;
}

const agents: Readonly<
  Record<Exclude<SessionFormat, StoredFormat>, new (findings: Findings) => AgentReader>
> = {
  'claude-code': ClaudeCode,
  codex: Codex,
  copilot: Copilot,
  gemini: Gemini,
  opencode: Opencode,
  pi: Pi,
};

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
  return session as Session;
}

/**
 * Reads every conversation of a file, one after the other. JSON lines are read as a stream; a file that is one JSON document is read
 * whole and must fit into a string, about 512 MB.
 * @throws CtxError `session-unreadable`, `session-empty`, `session-format-unknown`, and `session-record-invalid` with the file and line
 * of a broken record unless `lenient` is set
 */
export async function* readSessions(path: string, options: ReadOptions = {}): AsyncGenerator<Session> {
  const { lenient = false, format } = options;
  const findings = new Findings(path, lenient);
  const records = recordsOf(path, findings);
  try {
    const head = format === undefined ? await firstOf(records) : [];
    const values = head.map((record) => record.value);
    const silent: Session[] = [];
    let isEmpty = true;
    const sessions = sessionsIn(chain(head, records), format ?? detectFormat(values), findings);
    if (sessions === undefined) throw formatUnknown(path, format ?? values[0]);
    for await (const session of sessions) {
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

/** Undefined if there is no such format. */
function sessionsIn(
  records: AsyncIterable<SessionRecord>,
  format: SessionFormat | undefined,
  findings: Findings,
): AsyncIterable<Session> | undefined {
  const { name } = parse(findings.file);
  if (format === undefined || !sessionFormats.includes(format)) return undefined;
  if (Object.hasOwn(agents, format)) return agentSession(records, format as keyof typeof agents, findings);
  return conversationReaders[format as StoredFormat](records, { name, findings });
}

async function* agentSession(
  records: AsyncIterable<SessionRecord>,
  format: keyof typeof agents,
  findings: Findings,
): AsyncIterable<Session> {
  const reader = new agents[format](findings);
  for await (const record of records) reader.add(record);
  yield sessionOf(reader.content(), { name: parse(findings.file).name, format, findings });
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

/** Both, one after the other. */
async function* chain<T>(head: readonly T[], rest: AsyncIterable<T>): AsyncIterable<T> {
  yield* head;
  yield* rest;
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
