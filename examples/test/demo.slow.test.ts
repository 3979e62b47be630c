import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { testWithFiles } from '@ctx/testing';
import { demo, expectSound } from './demo-report.js';

/** Recorded by others and not part of the repository. */
const real = [
  'claude-code/agent-a7be2f0',
  'openai-chat/swe-agent',
  'openai-chat/tau-bench-airline',
  'pi/large-session',
];

const temporary = mkdtempSync(join(tmpdir(), 'ctx-demo-'));
afterAll(() => rmSync(temporary, { recursive: true }));

/** Characters of a real session. Twelve strategies, twice each, say no more about one five times as long. */
const enough = 200_000;

/** The first lines of a file, in a file of its own. */
function beginningOf(file: string): string {
  const text = readFileSync(file, 'utf8').slice(0, enough);
  const beginning = join(mkdtempSync(join(temporary, 'one-')), basename(file));
  writeFileSync(beginning, text.slice(0, text.lastIndexOf('\n')));
  return beginning;
}

describe.each(real)('a real session is compressed by each strategy: %s', (name) => {
  const file = join(__dirname, `../../../shared/data/${name}.jsonl`);
  testWithFiles('each strategy makes it smaller', [file], async () =>
    expectSound(await demo(beginningOf(file), '--conversation', '1', '--all')),
  );
});
