import type { DependencyContainer } from '../base/di.js';
import { type ErrorFields, refuse } from '../base/errors.js';
import { isFields } from '../base/native.js';
import { configProblems, layersIn, settingsFor } from '../config/config.js';
import type { Config } from '../config/config-keys.js';
import { createContainer, pluginsOf, presetFor } from '../config/container.js';
import type { ModelId } from '../config/match.js';
import {
  editKindsIn,
  nameProblems,
  provideOptions,
  resolveStrategy,
  ruleOptionProblems,
  textsWithoutTaskIn,
} from '../config/registry.js';
import { strategyProblems } from '../view/strategy.js';
import type { ManagerOptions } from './manager-options.js';
import { optionFaults } from './option-faults.js';

export type Setup = ReturnType<typeof setUp>;

const arrivalsNeedArchive: ErrorFields = {
  code: 'config-invalid',
  problem: 'Results can be shortened on arrival only if an archive has all of them',
  place: 'arrivals',
  remedy:
    "Pass an archive, such as memoryArchive() from '@ctx/archive' (for the proxy: recall), or remove arrivals.",
};

/** @throws ConfigError when the configuration, a strategy's name or its options can't work */
export function setUp(options: ManagerOptions) {
  const parent = options?.container ?? createContainer();
  refuse(managerProblems(options, parent));
  // biome-ignore lint/plugin: the one clock of core; a host may inject its own.
  const { config = {}, provider, model, now = Date.now, beforeCompress, slices, wait, archive } = options;
  const id: ModelId = { provider, model };
  const { warnings = [], isEstimated = false, ...preset } = presetFor(parent, id, config) ?? {};
  const settings = settingsFor(id, config, preset);
  if (settings.arrivals !== false && archive === undefined) refuse([arrivalsNeedArchive]);
  const container = parent.createChildContainer();
  provideOptions(container, settings.options);
  const stages =
    options.strategies?.slice() ?? settings.pipeline.map((name) => resolveStrategy(container, name));
  const upkeep = settings.beforeSend === false ? [] : settings.beforeSend.pipeline;
  const idle = stages.length === 0 && settings.enabled;
  return {
    model: id,
    settings,
    /** True if the model counts with another encoding. */
    isEstimated: isEstimated && config.encoding === undefined,
    /** A child of the given container. It holds the options of the strategies. */
    container,
    kinds: editKindsIn(parent),
    forms: pluginsOf(parent).forms,
    withoutTask: textsWithoutTaskIn(parent),
    stages,
    beforeSend: upkeep.map((name) => resolveStrategy(container, name, 'beforeSend.pipeline')),
    beforeCompress,
    slices,
    wait,
    archive,
    archivedAs: options.conversation ?? 'conversation',
    warnings: [
      ...warnings,
      ...(idle ? ['No strategy is configured: only the last resort keeps the view inside the window.'] : []),
    ],
    now,
  };
}

/** All problems of a manager's options, except those that strategies find in their own options. */
function managerProblems(options: ManagerOptions, container: DependencyContainer): ErrorFields[] {
  const faults = optionFaults(options, 'createContextManager');
  if (!isFields(options)) return faults;
  const { config = {}, strategies } = options;
  const wrongConfig = configProblems(config);
  const unknownIn = (place: string, given: unknown) => {
    const names: unknown[] = Array.isArray(given) ? given : [];
    const named = names.filter((name): name is string => typeof name === 'string' && name !== '');
    return nameProblems(container, named, place);
  };
  return [
    ...faults,
    ...(Array.isArray(strategies) ? strategies : []).flatMap((strategy, index) =>
      strategyProblems(strategy, `strategies[${index}]`),
    ),
    ...wrongConfig,
    ...(wrongConfig.length === 0 ? ruleOptionProblems(container, config as Config) : []),
    ...layersIn(config).flatMap(({ at, own: { options: ofStrategies, pipeline, beforeSend } }) => [
      ...unknownIn(`${at}options`, isFields(ofStrategies) && Object.keys(ofStrategies)),
      ...(at === '' && strategies !== undefined ? [] : unknownIn(`${at}pipeline`, pipeline)),
      ...unknownIn(`${at}beforeSend.pipeline`, isFields(beforeSend) && beforeSend.pipeline),
    ]),
  ];
}
