import type { DependencyContainer } from '../base/di.js';
import type { ErrorFields } from '../base/errors.js';
import { isFields } from '../base/native.js';
import type { Config } from '../config/config-keys.js';
import { configProblems } from '../config/config-problems.js';
import { nameProblems, ruleOptionProblems } from '../config/registry.js';
import { strategyProblems } from '../view/strategy.js';
import type { ManagerOptions } from './manager-options.js';
import { optionFaults } from './option-faults.js';

/** All problems of a manager's options, except those that strategies find in their own options. */
export function managerProblems(options: ManagerOptions, container: DependencyContainer): ErrorFields[] {
  const faults = optionFaults(options, 'createContextManager');
  if (!isFields(options)) return faults;
  const { config = {}, strategies } = options;
  const wrongConfig = configProblems(config);
  return [
    ...faults,
    ...listProblems(strategies),
    ...wrongConfig,
    ...(wrongConfig.length === 0 ? ruleOptionProblems(container, config as Config) : []),
    ...namesIn(config)
      .filter(({ place }) => place !== 'pipeline' || strategies === undefined)
      .flatMap(({ place, names }) => nameProblems(container, names, place)),
  ];
}

function listProblems(strategies: unknown): ErrorFields[] {
  if (Array.isArray(strategies))
    return strategies.flatMap((strategy, index) => strategyProblems(strategy, `strategies[${index}]`));
  if (strategies === undefined) return [];
  return [
    {
      code: 'strategy-invalid',
      problem: 'The strategies must be a list',
      place: 'strategies',
      value: strategies,
      remedy: 'Give a list of strategies, or names in config.pipeline.',
    },
  ];
}

/** The places where a configuration names strategies, at its top level and in its rules. */
function namesIn(config: unknown): { readonly place: string; readonly names: readonly string[] }[] {
  if (!isFields(config)) return [];
  const rules = Array.isArray(config.rules) ? config.rules : [];
  const layers = [config, ...rules];
  return layers.filter(isFields).flatMap((layer) => {
    const at = layer === config ? '' : `rules[${rules.indexOf(layer)}].`;
    const early = isFields(layer.beforeSend) ? layer.beforeSend.pipeline : undefined;
    return [
      { place: `${at}options`, names: isFields(layer.options) ? Object.keys(layer.options) : [] },
      { place: `${at}pipeline`, names: namesOf(layer.pipeline) },
      { place: `${at}beforeSend.pipeline`, names: namesOf(early) },
    ];
  });
}

function namesOf(pipeline: unknown): string[] {
  const names: unknown[] = Array.isArray(pipeline) ? pipeline : [];
  return names.filter((name): name is string => typeof name === 'string' && name !== '');
}
