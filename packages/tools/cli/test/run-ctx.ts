import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Io, run } from '@ctx/cli';

/** A conversation of 104 messages and 48,643 tokens that is part of the repository. */
export const lateCheck = join(__dirname, '../../../../examples/sessions/late-check.openai.jsonl');
/** One of Claude's form. */
export const didYouMean = join(__dirname, '../../../../examples/sessions/did-you-mean.anthropic.jsonl');

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'ctx-cli-'));
}

/** What a command line prints and returns, run in this process. */
export async function ctx(args: readonly string[], own: Partial<Io> = {}) {
  let [stdout, stderr] = ['', ''];
  const io: Io = {
    out: (text) => {
      stdout += text;
    },
    err: (text) => {
      stderr += text;
    },
    columns: 120,
    hasColor: false,
    env: {},
    home: join(tmpdir(), 'ctx-cli-nobody'),
    cwd: process.cwd(),
    signal: new AbortController().signal,
    now: () => 0,
    ...own,
  };
  const status = await run(args, io);
  return { status, stdout, stderr };
}
