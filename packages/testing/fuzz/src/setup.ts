import {
  type Config,
  ContextManager,
  createContainer,
  folderToken,
  type ManagerOptions,
  registerStrategy,
  summarizerToken,
  type Wait,
} from '@ctx/core';
import { registerDefaults } from '@ctx/presets';
import { deepFreeze } from '@ctx/testing';
import { type CounterName, counters } from './counter.js';
import { type HostileSpec, hostileStrategy } from './hostile.js';
import { fakeFolder, type SummaryName, summarizerOf } from './ports.js';
import type { Gate, Pauses } from './settle.js';

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

/** The settings of a manager, as plain JSON. */
export interface Setup {
  readonly provider?: string;
  readonly model?: string;
  readonly profile?: 'relevance' | 'classic';
  readonly config: FuzzConfig;
  readonly counter: CounterName;
  readonly hostile: readonly HostileSpec[];
  readonly summary: SummaryName;
  readonly folder: boolean;
  /** Whether the view is looked at after every step, not only in steps that ask for it. */
  readonly watched: boolean;
  /** Whether passed messages are frozen. */
  readonly frozen: boolean;
  /** Whether the host calls `request()` to send a view, so that `view()` is only a look. */
  readonly tells: boolean;
  /** Whether compressions pause wherever they may, so that other steps come in between; false in older histories. */
  readonly pauses?: boolean;
}

export interface Surroundings {
  readonly gate: Gate;
  readonly pauses: Pauses;
  now(): number;
  readonly wait: Wait;
}

/** The options of a manager. A setup always gives equal options, so a restored manager can use them too. */
export function optionsOf(setup: Setup, { gate, pauses, now, wait }: Surroundings): ManagerOptions {
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
    wait,
    slices:
      setup.pauses === true ? { sliceMs: 0, pause: pauses.pause } : { sliceMs: Number.POSITIVE_INFINITY },
  };
}

export function managerOf(options: ManagerOptions): ContextManager {
  return new ContextManager(options);
}
