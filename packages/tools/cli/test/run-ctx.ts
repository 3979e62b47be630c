import { mkdtempSync, writeFileSync } from 'node:fs';
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

/** A session file with these records, a line each. */
export function sessionWith(records: readonly object[]): string {
  const file = join(temporaryFolder(), 'session.jsonl');
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return file;
}

interface Usage {
  /** Provider's tokens for one that is counted here. */
  readonly factor?: number;
  readonly turns?: number;
  readonly isCompacted?: boolean;
  readonly behindProxy?: boolean;
}

/** A session of Claude Code whose provider counted 20,000 tokens that are not in the file. */
export function withUsage({ factor = 1, turns = 6, isCompacted, behindProxy }: Usage = {}): string {
  const words = (count: number) => Array.from({ length: count }, (_, index) => ` word${index % 10}`).join('');
  const records = Array.from({ length: turns }, (_, index): object[] => {
    // Two tokens a word; every answer before counts too.
    const whole = 20_000 + factor * 2 * (200 + 300 * index);
    const input_tokens = behindProxy && index > 3 ? 9_000 + index : whole;
    const usage = { input_tokens, output_tokens: 1 };
    const content = [{ type: 'text', text: words(100) }];
    const about = { id: `m${index}`, role: 'assistant', model: 'claude-sonnet-4-5' };
    const turn = [
      { type: 'user', uuid: `u${index}`, message: { role: 'user', content: words(200) } },
      { type: 'assistant', uuid: `a${index}`, message: { ...about, content, usage } },
    ];
    if (!isCompacted || index !== 3) return turn;
    const compactMetadata = { trigger: 'auto', preTokens: 30_000 };
    const message = { role: 'user', content: 'They talked of words.' };
    return [
      ...turn,
      { type: 'system', subtype: 'compact_boundary', uuid: 'boundary', compactMetadata },
      { type: 'user', uuid: 'summary', isCompactSummary: true, message },
    ];
  });
  return sessionWith(records.flat().map((record) => ({ sessionId: 's', ...record })));
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
