import {
  type Config,
  ContextManager,
  createContainer,
  folderToken,
  type ManagerOptions,
  registerStrategy,
  summarizerToken,
} from '@ctx/core';
import { registerDefaults } from '@ctx/presets';
import { type CounterName, counters } from './counter.js';
import { deepFreeze } from './deep-freeze.js';
import type { Gate } from './gate.js';
import { type HostileSpec, hostileStrategy } from './hostile.js';
import { fakeFolder, type SummaryName, summarizerOf } from './ports.js';

/** A configuration that says what the laws have to know. */
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

/** What a manager is made with, as plain JSON. */
export interface Setup {
  readonly provider?: string;
  readonly model?: string;
  readonly profile?: 'relevance' | 'classic';
  readonly config: FuzzConfig;
  readonly counter: CounterName;
  readonly hostile: readonly HostileSpec[];
  readonly summary: SummaryName;
  readonly folder: boolean;
  /** Looks at the view after every step, not only where a step asks for it. */
  readonly watched: boolean;
  /** Freezes the messages that it passes. */
  readonly frozen: boolean;
  /** Says with `request()` when it sends a view, so that `view()` is only a look. */
  readonly tells: boolean;
}

export interface Surroundings {
  readonly gate: Gate;
  now(): number;
}

/** The options of a manager; the same setup always gives equal ones, so a restored manager can have them too. */
export function optionsOf(setup: Setup, { gate, now }: Surroundings): ManagerOptions {
  const container = createContainer();
  registerDefaults(container, setup.profile === undefined ? {} : { profile: setup.profile });
  setup.hostile.forEach((spec, index) => {
    registerStrategy(container, hostileStrategy(spec, `hostile-${index}`, gate));
  });
  const summarizer = summarizerOf(setup.summary, gate);
  if (summarizer !== undefined) container.register(summarizerToken, { useValue: summarizer });
  if (setup.folder) container.register(folderToken, { useValue: fakeFolder });
  return {
    ...(setup.provider !== undefined && { provider: setup.provider }),
    ...(setup.model !== undefined && { model: setup.model }),
    config: deepFreeze(structuredClone(setup.config)),
    container,
    counter: counters[setup.counter],
    now,
  };
}

export function managerOf(options: ManagerOptions): ContextManager {
  return new ContextManager(options);
}
