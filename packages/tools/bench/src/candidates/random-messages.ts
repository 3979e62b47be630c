import { type Message, seededRandom } from '@ctx/core';
import { type CountTokens, totalTokens } from '../count-tokens.js';
import { groupsOf } from '../groups.js';
import { leadingUser } from '../oracle.js';
import { type Candidate, reducing } from './candidate.js';

/** Any number; the choice is the same in every run. */
const seed = 1;

/** The system prompt, and exchanges chosen by chance until none fits any more, in their order. */
function atRandom(messages: readonly Message[], budget: number, tokensOf: CountTokens): readonly Message[] {
  const system = messages.filter(({ role }) => role === 'system');
  const groups = groupsOf(messages.filter(({ role }) => role !== 'system'));
  const random = seededRandom(seed);
  const drawn = groups.map((group) => ({ group, at: random() })).sort((a, b) => a.at - b.at);
  let left = budget - totalTokens(system, tokensOf) - tokensOf(leadingUser);
  const kept = new Set<readonly Message[]>();
  for (const { group } of drawn) {
    const tokens = totalTokens(group, tokensOf);
    if (tokens > left) continue;
    kept.add(group);
    left -= tokens;
  }
  const rest = groups.filter((group) => kept.has(group)).flat();
  return [...system, ...(rest[0]?.role === 'user' ? [] : [leadingUser]), ...rest];
}

/** What chance keeps: the least that a method for chats has to beat. */
export const randomMessages: Candidate = reducing('random messages', 'baseline', atRandom);
