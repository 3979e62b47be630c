import type { Config } from '@ctx/core';
import { ladder } from '@ctx/presets';
import { behaviours } from './hostile.js';
import { summaryNames } from './ports.js';
import type { Random } from './random.js';
import type { FuzzConfig, Setup } from './setup.js';

const strategies = [
  'middle-removal',
  'oldest-removal',
  'hybrid',
  'tool-results',
  'file-folding',
  'smart-truncation',
  'importance',
  'condense',
  'relevance',
  'sliding-window',
] as const;

const models: readonly Pick<Setup, 'provider' | 'model'>[] = [
  { provider: 'anthropic', model: 'claude-sonnet-4-5' },
  { provider: 'openai', model: 'gpt-4o' },
  { provider: 'openai', model: 'o1-mini' },
  { provider: 'ollama', model: 'llama3.1' },
  { provider: 'google', model: 'gemini-1.5-pro' },
  {},
];

/** Random settings of a manager, from those of the presets to some that nobody would choose. */
export function randomSetup(random: Random): Setup {
  const { provider, model } = random.pick(models);
  const isTight = random.chance(0.7);
  const contextWindow = isTight ? random.int(60, 1500) : random.int(1500, 20_000);
  const hostile = random.chance(0.35)
    ? random.list(random.int(1, 2), () => ({ behaviour: random.pick(behaviours), seed: random.int(0, 9999) }))
    : [];
  const pipeline = randomPipeline(random, hostile.length);
  const config: FuzzConfig = {
    contextWindow,
    reserve: random.int(0, Math.floor(contextWindow / 5)),
    historySize: random.pick([1, 10, 1000]),
    throttleMs: random.pick([0, 0, 5000]),
    seed: random.int(0, 1000),
    ...(pipeline !== undefined && { pipeline }),
    // Always set, so that the laws know them. A preset would set them too.
    minMessagesToKeep: random.int(1, random.pick([1, 4, 8])),
    marker: random.pick([false, true, 'left out: {count}', '{count}{count}']),
    leadingUser: provider === 'anthropic' || random.chance(0.3) || provider === 'google',
    reasoning: random.pick(['bound', 'kept', 'dropped'] as const),
    overhead: random.pick([
      { message: 3, conversation: 3 },
      { message: 0, conversation: 0 },
      { message: 2, conversation: 5 },
    ]),
    prior: random.chance(0.8)
      ? { offset: 0, factor: 1, perToolCall: 0 }
      : {
          offset: random.pick([0, 50]),
          factor: random.pick([0.7, 1, 1.24]),
          perToolCall: random.pick([0, 66]),
        },
    ...random.maybe(0.5, () => randomTrigger(random, contextWindow)),
    ...random.maybe(0.2, () => ({
      prices: { cacheRead: random.pick([0, 0.1, 1]), cacheWrite: random.pick([0, 1.25, 2]) },
    })),
    ...random.maybe(0.3, () => ({
      breaker: random.pick([false, { strikes: 1, minReduction: 0.5, coolDownMs: 10_000 }] as const),
    })),
    ...random.maybe(0.3, () => ({ priorities: random.pick(['default', 'by-length'] as const) })),
    ...random.maybe(0.3, () => ({
      beforeSend: {
        pipeline: random.pick([['tool-results'], ['tool-results', 'smart-truncation']]),
        atLeast: random.pick([0, 20, 200]),
      },
    })),
    ...random.maybe(0.05, () => ({ enabled: false })),
    ...random.maybe(0.6, () => ({ options: randomOptions(random) })),
  };
  return {
    ...(provider !== undefined && { provider }),
    ...(model !== undefined && { model }),
    ...random.maybe(0.6, () => ({ profile: random.pick(['relevance', 'classic'] as const) })),
    config,
    counter: random.weighted({ words: 8, letters: 6, bytes: 3, faulty: 1, real: 0.2 }),
    hostile,
    summary: random.chance(0.4) ? 'extracted' : random.pick(summaryNames),
    folder: random.chance(0.4),
    watched: random.chance(0.5),
    frozen: random.chance(0.5),
    tells: random.chance(0.5),
    // Of a number that is there already, so that a seed gives the history that it always gave.
    pauses: (config.seed ?? 0) % 3 === 0,
  };
}

function randomPipeline(random: Random, hostile: number): string[] | undefined {
  const base = random.weighted({ preset: 4, alone: 4, ladder: 1, several: 2 });
  const names = random.list(hostile, (index) => `hostile-${index}`);
  const own = (): string[] => {
    if (base === 'ladder') return [...ladder];
    if (base === 'several') return random.some(strategies, 0.3);
    return [random.pick(strategies)];
  };
  if (base === 'preset' && hostile === 0) return undefined;
  const all = random.chance(0.5) ? [...names, ...own()] : [...own(), ...names];
  return all.length > 0 ? all : ['oldest-removal'];
}

function randomTrigger(random: Random, window: number): Pick<Config, 'trigger' | 'target' | 'warn'> {
  const form = random.weighted({ fraction: 3, tokens: 2, messages: 2, cost: 1, any: 1, all: 1 });
  const tokens = Math.max(2, Math.floor(window * 0.6));
  const trigger = {
    fraction: { fraction: random.pick([0.3, 0.5, 0.75, 0.95]) },
    tokens: { tokens },
    messages: { messages: random.int(2, 20) },
    cost: { cost: true, fraction: 0.9 },
    any: { any: [{ messages: random.int(5, 30) }, { tokens }] },
    all: { all: [{ messages: random.int(2, 10) }, { fraction: 0.4 }] },
  }[form];
  const target = random.maybe(0.5, () => ({
    target: random.pick([
      { fraction: 0.2 },
      { fraction: 0.25, atLeast: 20 },
      { tokens: Math.max(1, Math.floor(window * 0.2)) },
    ]),
  }));
  return { trigger, ...target };
}

function randomOptions(random: Random): NonNullable<Config['options']> {
  const share = () => random.pick([0, 0.1, 0.2, 0.5, 1]);
  const all: Record<(typeof strategies)[number], Record<string, unknown>> = {
    'middle-removal': {
      preserveStart: random.int(1, 6),
      preserveEnd: random.int(1, 6),
      ...random.maybe(0.3, () => ({ minMessagesToKeep: random.int(1, 6) })),
    },
    'oldest-removal': { ...random.maybe(0.5, () => ({ minMessagesToKeep: random.int(1, 6) })) },
    hybrid: { minConfidence: random.pick([0, 0.6, 1]) },
    'tool-results': {
      clearAtLeast: random.pick([0, 50]),
      reads: random.pick<unknown>([
        false,
        { keep: random.int(0, 2) },
        { keep: 1, rangeAware: true, large: { overTokens: 20, keep: 0 } },
      ]),
      terminal: random.pick<unknown>([false, { olderThanMinutes: 0, keepNewest: random.int(0, 2) }]),
      duplicates: random.pick<unknown>([false, { includeReads: true }, {}]),
      superseded: random.pick<unknown>([false, {}]),
      giants: random.pick<unknown>([
        false,
        { share: 0.1, headShare: share(), keepJson: random.chance(0.5) },
        { maxTokens: random.int(1, 60) },
      ]),
    },
    'file-folding': { keepNewest: random.int(0, 2), minTokens: random.int(0, 40) },
    'smart-truncation': {
      maxTokens: random.pick<unknown>(['auto', 40, 300]),
      keepNewestReads: random.int(0, 2),
      foldReads: random.chance(0.5),
      middlePercentileStart: random.pick([0, 17, 50]),
      middlePercentileEnd: random.pick([50, 83, 100]),
    },
    importance: {
      threshold: random.int(0, 100),
      keepRecent: share(),
      minKeepCount: random.int(1, 4),
      compat: random.chance(0.3),
      preserveUserInstructions: random.chance(0.5),
    },
    condense: {
      keep: {
        mode: random.pick(['important', 'last', 'edges', 'fresh']),
        last: random.int(0, 4),
        first: random.int(0, 3),
        recent: share(),
      },
      placement: random.pick(['first', 'last', 'after-first']),
      ...random.maybe(0.3, () => ({ maxSummaryTokens: random.int(32, 200) })),
    },
    relevance: { recent: share(), users: share(), explain: random.chance(0.2) },
    'sliding-window': {},
  };
  return Object.fromEntries(Object.entries(all).filter(() => random.chance(0.6)));
}
