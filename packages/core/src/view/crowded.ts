import type { GateRules } from './gate.js';
import { protectionOf } from './protection.js';
import type { View } from './view.js';

/** With less of the window than this for everything else, the newest user message may be shortened. */
const leastShareBeside = 0.1;

/**
 * True where what has to stay as it is, the newest user message among it, leaves less than a tenth of the window for everything
 * else. An agent that has nothing but a pasted log before it knows neither what it was asked nor what it has done.
 * @param maxTokens the window, as counted here
 */
export function isCrowded(
  { entries }: View,
  { transcript, pins }: Pick<GateRules, 'transcript' | 'pins'>,
  maxTokens: number,
): boolean {
  const fixed = entries.filter((entry) => protectionOf(entry, { transcript, pins })?.keeps === 'text');
  const tokens = fixed.reduce((sum, entry) => sum + entry.tokens, 0);
  return transcript.newestUser !== undefined && tokens > maxTokens * (1 - leastShareBeside);
}
