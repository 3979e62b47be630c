import {
  type Config,
  createContainer,
  folderToken,
  type ManagerOptions,
  registerStrategy,
  summarizerToken,
} from '@ctx/core';
import { ladder, registerDefaults } from '@ctx/presets';
import { deepFreeze } from '@ctx/testing';
import fc from 'fast-check';
import { chance, int, type MadeBy, maybe, often, record, upTo } from './choices.js';
import { type CounterName, counters } from './counter.js';
import { anyHostile, hostileStrategy } from './hostile.js';
import { deepArchive, fakeFolder, type SummaryName, summarizers } from './ports.js';
import type { Waits } from './settle.js';
import { optionsOf, strategies } from './strategy-options.js';
import type { Style } from './text.js';

const { constant, constantFrom } = fc;

/** A configuration in which the settings that the laws need are always given. */
export type FuzzConfig = Config & {
  readonly [Key in
    | 'contextWindow'
    | 'minMessagesToKeep'
    | 'marker'
    | 'leadingUser'
    | 'reasoning'
    | 'overhead'
    | 'prior']: NonNullable<Config[Key]>;
};

/** Settings of a manager with some window, from those of the presets to some that nobody would choose. */
const configFor = (contextWindow: number) => {
  const tokens = Math.max(2, Math.floor(contextWindow * 0.6));
  const fewTokens = Math.max(1, Math.floor(contextWindow * 0.2));
  const trigger = often(
    [3, record({ fraction: constantFrom(0.3, 0.5, 0.75, 0.95) })],
    [2, constant({ tokens })],
    [1, constant({ cost: true, fraction: 0.9 })],
  );
  const target = constantFrom({ fraction: 0.2 }, { fraction: 0.25, atLeast: 20 }, { tokens: fewTokens });
  const beforeSend = record({
    pipeline: constantFrom(['tool-results'], ['tool-results', 'smart-truncation']),
    atLeast: constantFrom(0, 20, 200),
  });
  const prices = record({ cacheRead: constantFrom(0, 0.1, 1), cacheWrite: constantFrom(0, 1.25, 2) });
  const prior = record({
    offset: constantFrom(0, 50),
    factor: constantFrom(0.7, 1, 1.24),
    perToolCall: constantFrom(0, 66),
  });
  return record(
    {
      contextWindow: constant(contextWindow),
      reserve: int(0, Math.floor(contextWindow / 5)),
      historySize: constantFrom(1, 10, 1000),
      throttleMs: constantFrom(0, 0, 5000),
      // Always set, so that the laws know them. A preset would set them too.
      minMessagesToKeep: often([4, constant(1)], [3, int(1, 4)], [3, int(1, 8)]),
      marker: constantFrom(false, true, 'left out: {count}', '{count}{count}'),
      leadingUser: chance(30),
      reasoning: constantFrom('bound', 'kept', 'dropped'),
      overhead: constantFrom(
        { message: 3, conversation: 3 },
        { message: 0, conversation: 0 },
        { message: 2, conversation: 5 },
      ),
      prior: often([8, constant({ offset: 0, factor: 1, perToolCall: 0 })], [2, prior]),
    },
    {
      trigger: maybe(50, trigger),
      target: maybe(25, target),
      prices: maybe(20, prices),
      priorities: maybe(30, constantFrom('default', 'by-length')),
      beforeSend: maybe(30, beforeSend),
      enabled: maybe(5, constant(false)),
      options: maybe(
        60,
        record({}, Object.fromEntries(strategies.map((name) => [name, maybe(60, optionsOf[name] as never)]))),
      ),
    },
  ) as unknown as fc.Arbitrary<FuzzConfig>;
};

const models = constantFrom(
  { provider: 'anthropic', model: 'claude-sonnet-4-5' },
  { provider: 'openai', model: 'gpt-4o' },
  { provider: 'openai', model: 'o1-mini' },
  { provider: 'ollama', model: 'llama3.1' },
  { provider: 'google', model: 'gemini-1.5-pro' },
  {},
);
const pipelines = often(
  [4, constant(undefined)],
  [4, fc.tuple(constantFrom(...strategies))],
  [1, constant(ladder)],
  [2, fc.subarray(strategies)],
);

const anyOf = record(
  {
    model: models,
    config: often([7, int(60, 1500)], [3, int(1500, 20_000)]).chain(configFor),
    pipeline: pipelines,
    hostileFirst: fc.boolean(),
    counter: often<readonly (readonly [number, fc.Arbitrary<CounterName>])[]>(
      [80, constant('words')],
      [60, constant('letters')],
      [30, constant('bytes')],
      [10, constant('faulty')],
      [2, constant('real')],
    ),
    hostile: often([65, constant([])], [35, upTo(2, anyHostile, 1)]),
    summary: often(
      [4, constant('extracted')],
      [6, constantFrom(...(Object.keys(summarizers) as SummaryName[]))],
    ),
    folder: chance(40),
    /** Whether the view is looked at after every step, not only in steps that ask for it. */
    watched: fc.boolean(),
    /** Whether passed messages are frozen. */
    frozen: fc.boolean(),
    /** Whether the host calls `request()` to send a view, so that `view()` is only a look. */
    tells: fc.boolean(),
    /** Whether compressions pause wherever they may, so that other steps come in between. */
    pauses: chance(33),
    /** How many of the longest texts fill the window. */
    texts: constantFrom(8, 15, 30),
  },
  { profile: maybe(60, constantFrom('relevance', 'classic')) },
);
/** The settings of a manager, as plain JSON. */
export type Setup = Omit<MadeBy<typeof anyOf>, 'model' | 'pipeline' | 'hostileFirst'> & {
  readonly provider?: string;
  readonly model?: string;
};

export const anySetup: fc.Arbitrary<Setup> = anyOf.map(
  ({ model, pipeline, hostileFirst, config, ...rest }) => {
    const names = rest.hostile.map((_, at) => `hostile-${at}`);
    const own = pipeline ?? ['relevance'];
    const all = hostileFirst ? [...names, ...own] : [...own, ...names];
    const isPreset = pipeline === undefined && names.length === 0;
    const provider = 'provider' in model ? model.provider : '';
    const leadingUser = config.leadingUser || provider === 'anthropic' || provider === 'google';
    const chosen = isPreset ? {} : { pipeline: all.length > 0 ? all : ['oldest-removal'] };
    // Not drawn, so that the histories of the other seeds stay as they are.
    const arrivals = config.contextWindow % 4 === 3 ? { arrivals: { over: 30, to: 20 } } : {};
    return { ...model, ...rest, config: { ...config, ...chosen, ...arrivals, leadingUser } };
  },
);

/** What the texts of a conversation are like. */
export function styleOf({ provider, config, texts }: Setup): Style {
  const most = Math.floor(config.contextWindow / texts);
  return { plain: provider === 'anthropic' || provider === 'openai', most: Math.min(300, Math.max(8, most)) };
}

export interface Surroundings extends Waits {
  now(): number;
}

/** The options of a manager. A setup always gives equal options, so a restored manager can use them too. */
export function managerOptions(
  setup: Setup,
  { gate, pauses, time: { wait }, now }: Surroundings,
): ManagerOptions {
  const container = createContainer();
  const { profile, provider, model } = setup;
  registerDefaults(container, profile === undefined ? {} : { profile });
  setup.hostile.forEach((spec, index) => {
    registerStrategy(container, hostileStrategy(spec, `hostile-${index}`, gate));
  });
  const summarizer = summarizers[setup.summary](gate);
  if (summarizer !== undefined) container.register(summarizerToken, { useValue: summarizer });
  if (setup.folder) container.register(folderToken, { useValue: fakeFolder });
  return {
    ...(provider !== undefined && { provider }),
    ...(model !== undefined && { model }),
    config: deepFreeze(structuredClone(setup.config)),
    container,
    archive: setup.config.arrivals === undefined ? undefined : deepArchive,
    counter: counters[setup.counter],
    now,
    wait,
    slices: setup.pauses ? { sliceMs: 0, pause: pauses.wait } : { sliceMs: Number.POSITIVE_INFINITY },
  };
}
