import { createHash } from 'node:crypto';
import { modelMessageCodec } from '@ctx/codec-ai-sdk';
import { anthropicCodec } from '@ctx/codec-anthropic';
import { openaiCodec, responsesCodec } from '@ctx/codec-openai';
import { type Message, partsOf } from '@ctx/core';
import { stringifyJson } from '@ctx/core/codec';
import type { Session, SessionFormat } from './session.js';

type WritableSession = Pick<Session, 'id' | 'format' | 'messages' | 'model' | 'provider'>;

/** A session as text. */
interface WrittenSession {
  readonly text: string;
  /** That of the session for Claude Code, Codex and OpenAI; `ai-sdk`, a document `{ id, model, messages }` with `ModelMessage`s, for all others. */
  readonly format: SessionFormat;
  /** How many parts or fields of each kind the format has no place for. Empty if everything is there. */
  readonly losses: Readonly<Record<string, number>>;
}

/**
 * The messages of a session as a file that `readSession` reads again, in the format the session was read in if that is Claude Code's,
 * Codex's or OpenAI's. The same session always gives the same text.
 */
export function writeSession(session: WritableSession): WrittenSession {
  const { id, format, messages, model } = session;
  switch (format) {
    case 'claude-code':
      return {
        format,
        text: claudeCodeLines(session),
        losses: lossesOf(messages, anthropicCodec, ['system']),
      };
    case 'codex':
      return { format, text: codexLines(session), losses: lossesOf(messages, responsesCodec) };
    case 'openai': {
      const document = { messages: openaiCodec.fromMessages(messages) };
      return { format, text: documentText(document), losses: lossesOf(messages, openaiCodec) };
    }
    default:
      return {
        format: 'ai-sdk',
        text: documentText({ id, model, messages: modelMessageCodec.fromMessages(messages) }),
        losses: lossesOf(messages, modelMessageCodec),
      };
  }
}

/** @param without roles and types of parts that the file has no place for, apart from what the codec knows */
function lossesOf(
  messages: readonly Message[],
  codec: { losses(messages: readonly Message[]): readonly { readonly what: string }[] },
  without: readonly string[] = [],
): Record<string, number> {
  const counts: Record<string, number> = {};
  const kinds = messages.flatMap((message) => [message.role, ...partsOf(message).map(({ type }) => type)]);
  for (const what of [
    ...codec.losses(messages).map((loss) => loss.what),
    ...kinds.filter((kind) => without.includes(kind)),
  ])
    counts[what] = (counts[what] ?? 0) + 1;
  return counts;
}

/** Lines of Claude Code. Its files hold no system prompt. */
function claudeCodeLines({ id, messages, model = 'unknown' }: WritableSession): string {
  const said = messages.filter(({ role }) => role !== 'system');
  const start = said.find(({ createdAt }) => createdAt !== undefined)?.createdAt ?? 0;
  const natives = anthropicCodec.fromMessages(said).messages;
  return linesText(
    natives.map(({ role, content }, index) => ({
      parentUuid: index === 0 ? null : uuidOf(id, index - 1),
      isSidechain: false,
      userType: 'external',
      sessionId: id,
      type: role,
      message:
        role === 'assistant'
          ? { id: `msg_${uuidOf(id, index)}`, type: 'message', role, model, content }
          : { role, content },
      uuid: uuidOf(id, index),
      // Several messages may have become one, so only the number of those before it is known.
      timestamp: timeText(start + index) ?? timeText(index),
    })),
  );
}

/** A rollout of Codex: the items of the Responses API, after a head. */
function codexLines({ id, messages, model, provider }: WritableSession): string {
  const timeOf = (message?: Message) => timeText(message?.createdAt);
  const timestamp = timeOf(messages[0]);
  return linesText([
    { timestamp, type: 'session_meta', payload: { id, timestamp, model_provider: provider } },
    ...(model === undefined ? [] : [{ timestamp, type: 'turn_context', payload: { model } }]),
    ...messages.flatMap((message) =>
      responsesCodec
        .fromMessages([message])
        .map((payload) => ({ timestamp: timeOf(message), type: 'response_item', payload })),
    ),
  ]);
}

function linesText(records: readonly unknown[]): string {
  return records.map((record) => `${stringifyJson(record)}\n`).join('');
}

function documentText(document: unknown): string {
  return `${stringifyJson(document, 2)}\n`;
}

/** Ms since epoch as text; undefined if no calendar has the time. */
function timeText(time = Number.NaN): string | undefined {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** An id in the form of a UUID that is the same whenever the session is written. */
function uuidOf(session: string, name: number): string {
  const hex = createHash('sha256').update(`${session} ${name}`).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}
