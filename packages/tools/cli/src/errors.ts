import { CtxError } from '@ctx/core';
import { sessionFormats } from '@ctx/sessions';
import { CommanderError } from 'commander';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { shownLine } from './terminal/shown.js';

const byCode: Partial<Record<CtxError['code'], ExitCode>> = {
  'option-invalid': exitCodes.usage,
  'config-invalid': exitCodes.usage,
  'strategy-unknown': exitCodes.usage,
  'archive-ref-invalid': exitCodes.usage,
  'package-missing': exitCodes.usage,
  'output-failed': exitCodes.output,
  'context-overflow': exitCodes.short,
  aborted: exitCodes.interrupted,
};

/** What to do in the words of the command, where the library's speak of its options or are long. */
const remedies: Partial<Record<CtxError['code'], string>> = {
  'session-format-unknown': `Give a session of an agent, or a conversation of an API. If it is one, --from-format names its format: ${sessionFormats.join(', ')}.`,
};

/** True for an error of ours with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly CtxError['code'][]): boolean {
  return CtxError.isInstance(error) && codes.includes(error.code);
}

/** What went wrong in one line, with its code and what to do, empty if nothing has to be said; and what the shell gets. */
export function failureOf(error: unknown): { readonly line: string; readonly exitCode: ExitCode } {
  if (error instanceof CommanderError) return usageFailure(error);
  if (CtxError.isInstance(error))
    return {
      line: `ctx: ${error.code}: ${shownLine(saidBy(error))}`,
      exitCode: byCode[error.code] ?? exitCodes.input,
    };
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return {
    line: `ctx: failed: ${shownLine(text)}. This is a fault of ctx: please report it with what you did. CTX_DEBUG=1 shows where.`,
    exitCode: exitCodes.failed,
  };
}

function saidBy({ code, message, remedy }: CtxError): string {
  return message.replace('[ctx] ', '').replace(remedy, remedies[code] ?? remedy);
}

function usageFailure({ exitCode, message, code }: CommanderError) {
  if (exitCode === 0 || code === 'commander.help') return { line: '', exitCode: exitCodes.done };
  const [problem = '', ...guess] = message.replace(/^error: /, '').split('\n');
  const hint = guess.map((line) => ` ${line.replace(/^\((.*)\)$/, '$1')}`).join('');
  return {
    line: `ctx: usage: ${shownLine(problem.replace(/\.$/, ''))}.${shownLine(hint) === '' ? '' : ` ${shownLine(hint)}`} ctx --help shows what there is.`,
    exitCode: exitCodes.usage,
  };
}
