import { CtxError } from '@ctx/core';

/** What the shell gets, as from every command of `ctx`. */
const exitCodes = { failed: 1, usage: 2, input: 3 } as const;
/** Codes of what cannot work because of how the command was called. */
const ofUsage: readonly string[] = ['config-invalid', 'option-invalid', 'strategy-unknown'];

/** What has stopped the command in one line, with its code and what to do, and what the shell gets. */
export function failureOf(error: unknown): { readonly line: string; readonly exitCode: number } {
  if (CtxError.isInstance(error)) {
    const { code, message } = error;
    const said = message
      .replace('[ctx] ', '')
      .replace(/[\p{C}\s]+/gu, ' ')
      .trim();
    return {
      line: `ctx: ${code}: ${said}`,
      exitCode: ofUsage.includes(code) ? exitCodes.usage : exitCodes.input,
    };
  }
  // The message of another error may hold what was said.
  const { code, name } = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >;
  const line = `ctx: failed: ${String(code ?? name ?? 'unknown error')}. This is a fault of ctx: please report it with what you did.`;
  return { line, exitCode: exitCodes.failed };
}
