import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openaiCodec } from '@ctx/codec-openai';
import { CtxError, type Message, messageText, type ToolCallPart, toolCallsOf } from '@ctx/core';
import { isFields } from '@ctx/core/codec';

/** What a question asks for, in the order of the tables. */
export const questionKinds = ['needed', 'state', 'user', 'superseded', 'next'] as const;
export type QuestionKind = (typeof questionKinds)[number];

export interface ExamQuestion {
  readonly id: number;
  readonly kind: QuestionKind;
  readonly question: string;
  /** The right answer. */
  readonly key: string;
  /** What counts as right or half right. */
  readonly accept?: string;
  /** Positions of the messages that the key is from. */
  readonly where: readonly number[];
}

/** A session that was cut, with questions about the part before the cut. */
export interface ExamSession {
  readonly name: string;
  /** The part before the cut. */
  readonly messages: readonly Message[];
  /** Empty if nobody has written them yet. */
  readonly questions: readonly ExamQuestion[];
  /** A model's own summary of the part before the cut. */
  readonly summary?: string;
}

/**
 * The sessions of an exam's folder, by name.
 * @throws CtxError `session-missing` if there is none, `session-record-invalid` for a file that can't be used
 */
export function examSessions(folder: string): ExamSession[] {
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => existsSync(join(folder, name, 'prefix.json')))
    : [];
  if (names.length === 0)
    throw new CtxError({
      code: 'session-missing',
      problem: 'The folder holds no session that was cut for an exam',
      place: folder,
      remedy: 'Cut one: ctx bench --exam FOLDER --prepare SESSION.',
    });
  return names.sort().map((name) => {
    const path = (file: string) => join(folder, name, file);
    const summary = existsSync(path('summary.txt')) ? readFileSync(path('summary.txt'), 'utf8') : undefined;
    return {
      name,
      messages: prefixIn(path('prefix.json')),
      questions: existsSync(path('questions.json')) ? questionsIn(path('questions.json')) : [],
      ...(summary !== undefined && { summary }),
    };
  });
}

/** Reads one of the exam's files. */
export function examJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw unusable(path, 'The file is not JSON', cause);
  }
}

/** The error for a file of the exam that somebody wrote by hand. */
export function unusable(place: string, problem: string, cause?: unknown): CtxError {
  const remedy = 'docs/guide/exam.md has the form of each file.';
  return new CtxError({ code: 'session-record-invalid', problem, place, remedy, cause });
}

function prefixIn(path: string): readonly Message[] {
  const value = examJson(path);
  if (!isFields(value) || !Array.isArray(value.messages))
    throw unusable(path, 'A cut session is an object with messages');
  return openaiCodec.toMessages(value.messages as Parameters<typeof openaiCodec.toMessages>[0]);
}

function questionsIn(path: string): ExamQuestion[] {
  const value = examJson(path);
  if (!Array.isArray(value)) throw unusable(path, 'Questions are a list');
  const ids = new Set<unknown>();
  return value.map((one: unknown, index): ExamQuestion => {
    const place = `${path}[${index}]`;
    if (!isFields(one)) throw unusable(place, 'A question is an object');
    if (typeof one.id !== 'number' || ids.has(one.id))
      throw unusable(place, 'A question needs a number of its own as id');
    ids.add(one.id);
    if (!questionKinds.includes(one.kind as QuestionKind))
      throw unusable(place, `A question is of one of the kinds ${questionKinds.join(', ')}`);
    if (typeof one.question !== 'string' || typeof one.key !== 'string')
      throw unusable(place, 'A question needs the texts question and key');
    return { ...(one as unknown as ExamQuestion), where: [one.where ?? []].flat() as number[] };
  });
}

/**
 * Messages as a person reads them.
 * @param isNumbered puts each message's position before its role, for whoever writes questions
 */
export function readable(messages: readonly Message[], { isNumbered = false } = {}): string {
  return messages
    .map((message, index) => {
      const heading = `### ${isNumbered ? `[${index}] ` : ''}${message.role === 'tool' ? 'result' : message.role}`;
      return [heading, messageText(message), ...toolCallsOf(message).map(callLine)]
        .filter((text) => text !== '')
        .join('\n');
    })
    .join('\n\n');
}

const callLine = ({ toolName, input }: ToolCallPart) => `CALL ${toolName} ${JSON.stringify(input)}`;
