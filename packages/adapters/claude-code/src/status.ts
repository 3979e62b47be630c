import type { Session } from './originals.js';

/** What ctx did in a session, for a person. */
export function statusOf({ cuts }: Session): string {
  if (cuts.length === 0) return 'Nothing was compacted in this session yet.';
  const lines = cuts.map(({ trigger, preTokens, postTokens, durationMs }, at) => {
    const ms = durationMs === undefined ? '' : `, ${(durationMs / 1_000).toFixed(1)} s`;
    return `${at + 1}. ${trigger ?? 'compaction'}: ${count(preTokens)} → ${count(postTokens)} tokens${ms}`;
  });
  const commands = '/ctx undo brings the last one back, /ctx find WORDS searches everything.';
  return ['compactions of this session', ...lines, commands].join('\n');
}

const count = (tokens: number | undefined) => (tokens === undefined ? '?' : tokens.toLocaleString('en'));
