import type { GateRules } from './gate.js';
import { protectionOf } from './protection.js';
import type { View } from './view.js';

/** If everything else has less than this share of the window, the newest user message may be shortened. */
const leastShareBeside = 0.1;

/**
 * True if the messages that must stay unchanged, including the newest user message, leave less than a tenth of the
 * window for everything else. An agent that sees only a pasted log knows neither its task nor what it has done.
 * @param windowTokens the window, as counted here
 */
export function isCrowded(
  { entries }: View,
  { transcript, pins }: Pick<GateRules, 'transcript' | 'pins'>,
  windowTokens: number,
): boolean {
  const fixed = entries.filter((entry) => protectionOf(entry, { transcript, pins })?.keeps === 'text');
  const tokens = fixed.reduce((sum, entry) => sum + entry.tokens, 0);
  return transcript.newestUser !== undefined && tokens > windowTokens * (1 - leastShareBeside);
}
