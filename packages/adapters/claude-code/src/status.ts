import type { Session } from './originals.js';
import type { Row } from './rows.js';

/** What ctx did in a session, for a person. */
export function statusOf({ originals, sent, cuts }: Session): string {
  if (cuts.length === 0) return 'Nothing was compacted in this session yet.';
  const lines = cuts.map(({ trigger, preTokens, postTokens, durationMs }, at) => {
    const ms = durationMs === undefined ? '' : `, ${(durationMs / 1_000).toFixed(1)} s`;
    return `${at + 1}. ${trigger ?? 'compaction'}: ${count(preTokens)} → ${count(postTokens)} tokens${ms}`;
  });
  const whole = new Set(sent.flatMap(keysOf));
  const kinds = new Map<string, { all: number; whole: number }>();
  for (const row of originals) {
    for (const key of keysOf(row)) {
      const kind = key.slice(0, key.indexOf(':'));
      const sum = kinds.get(kind) ?? { all: 0, whole: 0 };
      kinds.set(kind, { all: sum.all + 1, whole: sum.whole + (whole.has(key) ? 1 : 0) });
    }
  }
  const left = [...kinds].map(([kind, sum]) => `${kind}: ${sum.whole} of ${sum.all} are whole`);
  return [
    'compactions of this session',
    ...lines,
    'of all that was said',
    ...left,
    'The rest is in excerpts. /ctx undo brings the last one back, /ctx find WORDS searches everything.',
  ].join('\n');
}

const count = (tokens: number | undefined) => (tokens === undefined ? '?' : tokens.toLocaleString('en'));

/** What a row holds, each with its kind before a colon. */
function keysOf({ role, text, toolResults = [] }: Row): string[] {
  const said = text === '' ? [] : [`${role === 'user' ? 'your messages' : 'answers'}:${text}`];
  return [...said, ...toolResults.map((one) => `results of tools:${one.tool_use_id} ${one.text}`)];
}
