/** Says how long a regular expression may take, by what is recorded or by computing it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { check } from 'recheck';

/** Ms. What takes the checker longer can't be judged. */
const timeout = 10_000;

export const keyOf = ({ pattern, flags }) => `/${pattern}/${flags}`;

/**
 * The verdicts that are recorded, by `/pattern/flags`: `safe`, the time that one may take, or why it can't be judged. None where the
 * record is of another version of the checker.
 */
export function recordedVerdicts(file, version) {
  const { recheck, verdicts } = JSON.parse(readFileSync(file, 'utf8'));
  return new Map(recheck === version ? Object.entries(verdicts) : []);
}

export function recordVerdicts(file, version, verdicts) {
  const sorted = [...verdicts].sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(
    file,
    `${JSON.stringify({ recheck: version, verdicts: Object.fromEntries(sorted) }, null, 2)}\n`,
  );
}

/** Computes the verdicts, as many at once as there are cores. */
export async function computeVerdicts(expressions) {
  const verdicts = new Map();
  const waiting = [...expressions];
  const work = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
      verdicts.set(keyOf(next), await verdictOn(next));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return verdicts;
}

async function verdictOn({ pattern, flags }) {
  const { status, complexity, error } = await check(pattern, flags, { checker: 'automaton', timeout });
  if (status === 'safe') return 'safe';
  return status === 'vulnerable' ? complexity.summary : error.kind;
}
