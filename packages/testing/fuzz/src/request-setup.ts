import type { AgentForm } from './agent-story.js';
import { Random } from './random.js';
import type { Hand } from './written-json.js';

/** What a seed decides before anything is said. */
export interface RequestSetup {
  readonly form: AgentForm;
  readonly window: number;
  readonly reserve: number;
  readonly fixedTokens: number;
  readonly hand: Hand;
  readonly through: 'fetch' | 'proxy';
  readonly roots: number;
  readonly rounds: number;
  /** Whether the provider says how many tokens a request had. */
  readonly tells: boolean;
}

/** Windows of small models, of usual ones, and of the largest. */
const windows = { small: [8_000, 40_000], usual: [40_000, 200_000], large: [200_000, 1_000_000] } as const;
/** Tokens of system prompt and tools of a large agent, and the smallest window with which it works. */
const [largeAgent, leastForLarge] = [17_000, 32_000];

export function requestSetupOf(seed: number): RequestSetup {
  return setupBy(new Random(seed));
}

export function setupBy(random: Random): RequestSetup {
  const range = random.chance(0.6) ? 'small' : random.chance(0.9) ? 'usual' : 'large';
  const [least, most] = windows[range];
  const window = random.int(least, most);
  const isLarge = window >= leastForLarge && random.chance(0.5);
  return {
    form: random.pick(['chat', 'messages']),
    window,
    reserve: random.chance(0.5) ? 4096 : Math.floor(window / 10),
    fixedTokens: isLarge ? largeAgent : random.int(50, Math.floor(window * 0.3)),
    hand: { space: random.pick(['', ' ', '\n  ']), escapes: random.chance(0.4) },
    through: random.chance(0.3) ? 'proxy' : 'fetch',
    roots: random.int(1, 2),
    rounds: range === 'large' ? random.int(2, 3) : random.int(3, 8),
    tells: random.chance(0.6),
  };
}
