import { entriesOf, memoryArchive } from '@ctx/archive';
import { loadCounter } from '@ctx/bench/measure';
import { type ArchivePassage, CtxError, type ToolCallPart, toolCallsOf } from '@ctx/core';
import type { Session } from '@ctx/sessions';
import { exitCodes } from '../exit-codes.js';
import type { Opened } from '../session/open.js';
import type { Io } from '../terminal/io.js';
import { counted, figure, paletteFor, shownJson, shownLine, shownText } from '../terminal/shown.js';

export interface RecallRequest {
  /** Tokens of all passages together. */
  readonly maxTokens: number;
  readonly json?: boolean | undefined;
}

/** The name of the only conversation in the archive. */
const conversation = 'session';

/** Finds passages of a session by their words or by their handle. */
export async function runRecall(
  io: Io,
  { session }: Opened,
  query: string,
  { maxTokens, json = false }: RecallRequest,
): Promise<number> {
  if (query.trim() === '')
    throw new CtxError({
      code: 'option-invalid',
      problem: 'The search has no words',
      place: 'query',
      remedy: 'Give words after the session, or a handle such as "#m41".',
    });
  const found = await passagesOf(session, query.trim(), maxTokens);
  if (json) io.out(`${shownJson(found, 2)}\n`);
  else if (found.length > 0) io.out(textOf(found, io));
  else io.err(`Nothing in the session has anything in common with "${shownLine(query)}".\n`);
  return exitCodes.done;
}

async function passagesOf(
  session: Session,
  query: string,
  maxTokens: number,
): Promise<readonly ArchivePassage[]> {
  const { text: tokensOf } = await loadCounter();
  const archive = memoryArchive({ tokensOf });
  const calls = new Map<string, ToolCallPart>();
  const entries = session.messages.flatMap((message, index) => {
    for (const call of toolCallsOf(message)) calls.set(call.toolCallId, call);
    return entriesOf({ conversation, number: index + 1, message, callOf: (id) => calls.get(id) });
  });
  await archive.put(entries);
  return query.startsWith('#m')
    ? archive.get(query, { conversation, maxTokens })
    : archive.search(query, { conversation, maxTokens });
}

function textOf(passages: readonly ArchivePassage[], { hasColor }: Io): string {
  const palette = paletteFor(hasColor);
  const tokens = passages.reduce((sum, one) => sum + one.tokens, 0);
  const blocks = passages.map(
    ({ ref, heading, text }) =>
      `${palette.bold(shownLine(ref))}  ${palette.cyan(shownLine(heading))}\n${shownText(text)}\n`,
  );
  return `${blocks.join('\n')}\n${palette.dim(`${counted(passages.length, 'passage')}, ${figure(tokens)} tokens. Message numbers count from 1.`)}\n`;
}
