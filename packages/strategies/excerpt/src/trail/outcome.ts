import { readsAsRefusal } from '../command-output.js';
import type { Section } from '../sections.js';
import { sizes } from '../weights.js';
import { shortened } from './shortened.js';

/** Lines in which a run of tests or checks sums itself up, and those of them that say that something failed. */
const summing =
  /\b\d+ (?:[a-z]+ )?(?:pass(?:ed|ing)?|fail(?:ed|ing|ures?)?|errors?|problems?|issues?|tests?)\b|\b(?:pass|passed|fail|failed|failures?|errors?|issues): ?\d|^(?:FAIL|PASS|BUILD \w+)\b|^ok(?:$| \(|\s+\S+\s+[\d.(])|\bno (?:issues|errors|problems)|error TS\d|^\W (?:pass|fail) \d/i;
const failing =
  /(?<![\d.])[1-9]\d* (?:[a-z]+ )?(?:fail(?:ed|ing|ures?)?|errors?|problems|issues)\b|\b(?:fail|failed|failures?|errors?): ?[1-9]|^FAIL|error TS\d|^\W fail [1-9]/i;
/** A single test's line, and what programs print about themselves. */
const noise =
  /^(?:$|---|===|[✓✔√] |> |\$ |npm warn|Chunk ID:|Wall time|Process exited|Original token count|Output:$|Exit code:? \d+$|debugger|waiting for the debugger|no output$|\(no output\)$|test result: ok\. 0 passed)/i;
/** Where agents write the code that a command ended with. */
const exitCode = /exit(?:ed|s)?[ _](?:with )?(?:exit )?(?:code|status)"?[:>]? ?(\d+)/i;
/** How the reason begins if the user did not want it. */
export const byUser = 'rejected by the user';
/** Lines of what a run says of itself. */
const mostLines = 3;

/** What a call returned. */
export function outputOf({ blocks }: Section): string {
  const text = blocks.findLast(({ voice }) => voice === 'tool')?.text ?? '';
  return text.startsWith('[{"') ? text.replaceAll('\\n', '\n') : text;
}

/** The code that a call ended with, if its result says so at its beginning or in its last line. */
function codeOf(text: string): number | undefined {
  const end = text.trimEnd();
  const ends = [text.slice(0, 400), end.slice(Math.max(end.lastIndexOf('\n'), end.length - 200))];
  const codes = ends.flatMap((part) => exitCode.exec(part)?.[1] ?? []);
  return codes.length === 0 ? undefined : Math.max(...codes.map(Number));
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.slice(0, sizes.paragraph).trim());
  return lines.filter((line) => !noise.test(line));
}

/** Why a call did nothing, as its result says it; undefined if it worked. */
export function failureOf(section: Section): string | undefined {
  const text = outputOf(section);
  const first = text.trimStart().split('\n', 1)[0] as string;
  const isFailure = section.kind === 'failure' || (codeOf(text) ?? 0) > 0 || readsAsRefusal(text);
  // A commit says so, whatever was run after it.
  if (!isFailure || /^\[(?:detached HEAD|[\w./#-]+)(?: \(root-commit\))? [\da-f]{7,40}\] /m.test(text))
    return undefined;
  if (/user (?:doesn't want|rejected|denied)/.test(first)) {
    const [, said] = text.split('the user said:');
    return `${byUser}${said === undefined ? '' : `: "${shortened(said, sizes.line)}"`}`;
  }
  const lines = linesOf(text.replace(/<\/?tool_use_error>/g, ''));
  const telling =
    lines.find((line) => /error|fatal|fail|not found|denied|invalid|reject/i.test(line)) ?? lines[0];
  return shortened(telling ?? 'no reason given', sizes.title);
}

/** The last line that names a place, as `a.go:12:3: unused`, or else the last one with a word. */
function lastFound(lines: readonly string[]): string | undefined {
  return (
    lines.findLast((line) => /^[\w./-]+:\d+/.test(line)) ?? lines.findLast((line) => /\p{L}{2}/u.test(line))
  );
}

/** What a run of tests or checks said of itself; how it ended if it said nothing. */
export function summaryOf(section: Section): string {
  const text = outputOf(section);
  const lines = linesOf(text);
  const code = codeOf(text);
  const state =
    code !== undefined ? `exit code ${code}` : section.kind === 'failure' ? 'ended with an error' : '';
  const isFailure = section.kind === 'failure' || (code ?? 0) > 0;
  const found = lines.flatMap((line, at) => (summing.test(line) ? [{ line, at }] : []));
  // The last lines of the summary that stand together, and what failed before them.
  const together = found.findLastIndex(({ at }, index) => at + 2 < (found[index + 1]?.at ?? 0)) + 1;
  const start = Math.max(together, found.length - mostLines);
  const bad = found.slice(0, start).filter(({ line }) => failing.test(line));
  const shown = [...bad.slice(1 - mostLines), ...found.slice(start)].map(({ line }) => line);
  if (shown.length === 0)
    shown.push(
      ...(isFailure ? [failureOf(section) ?? ''] : [lastFound(lines)].filter((line) => line !== undefined)),
    );
  if (shown.length === 0) return state === '' ? 'no output' : `no output, ${state}`;
  const others = (bad.length > 0 ? bad.length + found.length - start : found.length) - shown.length;
  const said = shortened(`${isFailure ? `${state}; ` : ''}${shown.join('; ')}`, sizes.line);
  return others > 0 ? `${said} (and ${others} more such lines)` : said;
}
