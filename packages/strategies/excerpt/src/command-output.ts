import type { ToolCallPart } from '@ctx/core';
import { fileToolOf, fileWriteTools } from '@ctx/core/kit';

/** How a result begins that says that nothing was done. */
const refusal =
  /^<tool_use_error>|^(?:error|fatal|failed|failure)\b|^[\w ./-]{0,40} (?:failed|rejected|not found|denied)\b|^(?:the )?user (?:(?:doesn't|does not|did not|has) )?(?:want|reject|denied|declined)|^no (?:match|replacement|changes? (?:was|were) made)|has not been read|permission (?:to use|denied)|could not find/i;
/** Whether a result reads as if nothing was done. */
export function readsAsRefusal(text: string): boolean {
  return refusal.test(text.trimStart().split('\n', 1)[0] as string) || /^fatal: /m.test(text);
}

/** Whether a tool that writes files says that it did, and nothing else. */
export function saysDone(call: ToolCallPart, said: string): boolean {
  if (said.includes('\n') || readsAsRefusal(said) || fileToolOf(call, fileWriteTools) === undefined)
    return false;
  return /\b(?:success|successful|successfully|updated|created|written|wrote|applied|saved)\b/i.test(said);
}

/** Lines that Codex puts before all that a command printed. */
const frame = /^(?:Chunk ID|Wall time|Original token count|Total output lines): /;
const exit = /^(?:Process exited with|Exit) code:? (-?\d+)$/;
/** Such lines are no more. A limit. */
const mostFrame = 7;

/** Keeps of it the code that a command ended with, if it failed or its output reads as if it had. */
export function withoutFrame(text: string): string {
  const lines = text.split('\n', mostFrame);
  const isFrame = (line = '') => frame.test(line) || exit.test(line) || line === 'Output:';
  const end = lines.findIndex((line, at) => !isFrame(line) || lines[at - 1] === 'Output:');
  const head = lines.slice(0, end < 0 ? lines.length : end);
  const code = head.findLast((line) => exit.test(line));
  if (code === undefined) return text;
  const output = text.slice(head.join('\n').length + 1);
  const worked = exit.exec(code)?.[1] === '0' && output.trim() !== '' && !readsAsRefusal(output);
  return worked ? output : `${code}\n${output}`;
}
