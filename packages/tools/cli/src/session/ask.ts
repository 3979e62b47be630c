import { CtxError } from '@ctx/core';
import type { findSessions } from '@ctx/sessions';
import type { Io } from '../terminal/io.js';
import { ago, shownLine } from '../terminal/shown.js';

type FoundSession = Awaited<ReturnType<typeof findSessions>>[number];

/** Sessions to choose from: what fits a small terminal without scrolling. */
const offered = 15;

/**
 * Asks which session is meant.
 * @throws CtxError `option-invalid` if nobody can be asked, `aborted` if the question was left
 */
export async function askFor(io: Io, sessions: readonly FoundSession[]): Promise<FoundSession> {
  const { keyboard: input, screen: output } = io;
  if (input === undefined || output === undefined)
    throw new CtxError({
      code: 'option-invalid',
      problem: 'There is no terminal to ask on',
      place: '--pick',
      remedy: 'Give the path of a session file, or leave --pick for the newest one.',
    });
  const { isCancel, select } = await import('@clack/prompts');
  const chosen = await select<FoundSession>({
    message: 'Which session?',
    options: sessions.slice(0, offered).map((session) => ({
      value: session,
      label: `${session.agent}, ${ago(io.now() - session.modifiedAt)}`,
      hint: shownLine(session.path),
    })),
    input,
    output,
    signal: io.signal,
  });
  if (!isCancel(chosen)) return chosen;
  throw new CtxError({
    code: 'aborted',
    problem: 'No session was chosen',
    remedy: 'Choose one, or give its path.',
  });
}
