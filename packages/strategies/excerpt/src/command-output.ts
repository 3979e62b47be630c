/** How a result begins that says that nothing was done. */
const refusal =
  /^<tool_use_error>|^(?:error|fatal|failed|failure)\b|^[\w ./-]{0,40} (?:failed|rejected|not found|denied)\b|^(?:the )?user (?:(?:doesn't|does not|did not|has) )?(?:want|reject|denied|declined)|^no (?:match|replacement|changes? (?:was|were) made)|has not been read|permission (?:to use|denied)|could not find/i;
/** Whether a result reads as if nothing was done. */
export function readsAsRefusal(text: string): boolean {
  return refusal.test(text.trimStart().split('\n', 1)[0] as string) || /^fatal: /m.test(text);
}

/** What Codex puts before all that a command printed. */
const frame =
  /^(?:Chunk ID: .*\n)?(?:Wall time: .*\n)?((?:Process exited with|Exit) code:? (-?\d+)\n)(?:Wall time: .*\n)?(?:Original token count: \d+\n)?(?:Total output lines: \d+\n)?(?:Output:\n)?/;

/** Keeps of it the code that a command ended with, if it failed or its output reads as if it had. */
export function withoutFrame(text: string): string {
  const [whole, line, code] = frame.exec(text) ?? [];
  if (whole === undefined) return text;
  const output = text.slice(whole.length);
  return code === '0' && output.trim() !== '' && !readsAsRefusal(output) ? output : `${line}${output}`;
}
