import { counted, figure, percent } from '../terminal/shown.js';
import type { CompressedSession } from './compress-session.js';
import type { Staying } from './staying-messages.js';

/** What a compression did, in a sentence. */
export function saidInWords(compressed: CompressedSession): string {
  const { tokensBefore, tokensAfter, before, after, strategies, reason } = compressed;
  if (reason !== undefined)
    return `Nothing changed: ${figure(tokensBefore)} tokens in ${counted(before.length, 'message')}, because ${reason}.${missedInWords(compressed)}`;
  const became = `${figure(tokensBefore)} tokens became ${figure(tokensAfter)} (${percent(tokensAfter / tokensBefore)}), and ${counted(before.length, 'message')} became ${figure(after.length)}`;
  const by = strategies.length === 0 ? '' : `, with ${strategies.join(' and ')}`;
  return `${became}${by}.${missedInWords(compressed)}`;
}

const stayingNames: Readonly<Record<keyof Staying, string>> = {
  system: 'the system prompt',
  pinned: 'what is pinned',
  user: 'the task and the newest message of the user',
  unread: 'what the model has not read yet',
};

/** By how much the target was missed, and why; empty if it was reached. */
function missedInWords({ staying, missedTokens, targetTokens, strategies }: CompressedSession): string {
  if (staying === undefined) return '';
  const missed = `The target of ${figure(targetTokens)} was missed by ${counted(missedTokens, 'token')}`;
  const kinds = (Object.keys(stayingNames) as (keyof Staying)[]).filter((kind) => staying[kind] > 0);
  const sum = kinds.reduce((tokens, kind) => tokens + staying[kind], 0);
  const parts = kinds.map((kind) => `${stayingNames[kind]} (${figure(staying[kind])})`).join(', ');
  const stay = sum === 0 ? '' : `${figure(sum)} have to stay: ${parts}`;
  if (sum > targetTokens) return ` ${missed}, because ${stay}.`;
  const means = strategies.length === 0 ? '' : ` with ${strategies.join(' and ')}`;
  return ` ${missed}: no more can go${means}${stay === '' ? '' : `, and ${stay}`}.`;
}
