import { counted, figure, percent } from '../terminal/shown.js';
import type { CompressedSession } from './compress-session.js';

/** What a compression did, in a sentence. */
export function saidInWords(compressed: CompressedSession): string {
  const { tokensBefore, tokensAfter, targetTokens, before, after, strategies, isShort, reason } = compressed;
  if (reason !== undefined)
    return `Nothing changed: ${figure(tokensBefore)} tokens in ${counted(before.length, 'message')}, because ${reason}.`;
  const became = `${figure(tokensBefore)} tokens became ${figure(tokensAfter)} (${percent(tokensAfter / tokensBefore)}), and ${counted(before.length, 'message')} became ${figure(after.length)}`;
  const by = strategies.length === 0 ? '' : `, with ${strategies.join(' and ')}`;
  const short = isShort ? ` The target of ${figure(targetTokens)} was not reached.` : '';
  return `${became}${by}.${short}`;
}
