import type { DependencyContainer } from '../base/di.js';
import type { ErrorFields } from '../base/errors.js';
import { isFields } from '../base/native.js';
import type { Config } from '../config/config-keys.js';
import { configProblems } from '../config/config-problems.js';
import { nameProblems, ruleOptionProblems } from '../config/registry.js';
import { strategyProblems } from '../view/strategy.js';
import type { ManagerOptions } from './manager-options.js';
import { managerKeys, unknownOptions } from './option-keys.js';

/** All problems of a manager's options, except those that strategies find in their own options. */
export function managerProblems(options: ManagerOptions, container: DependencyContainer): ErrorFields[] {
  const unknown = unknownOptions(options, managerKeys, 'createContextManager');
  if (!isFields(options)) return unknown;
  const { config = {}, strategies, beforeCompress, slices, archive, conversation } = options;
  const wrongConfig = configProblems(config);
  return [
    ...unknown,
    ...listProblems(strategies),
    ...hookProblems(beforeCompress),
    ...sliceProblems(slices),
    ...archiveProblems(archive),
    ...conversationProblems(conversation),
    ...wrongConfig,
    ...(wrongConfig.length === 0 ? ruleOptionProblems(container, config as Config) : []),
    ...namesIn(config)
      .filter(({ place }) => place !== 'pipeline' || strategies === undefined)
      .flatMap(({ place, names }) => nameProblems(container, names, place)),
  ];
}

function wrong(
  place: string,
  value: unknown,
  problem: string,
  remedy: string,
  code: ErrorFields['code'] = 'config-invalid',
): ErrorFields[] {
  return [{ code, problem, place, value, remedy }];
}

function listProblems(strategies: unknown): ErrorFields[] {
  if (strategies === undefined) return [];
  if (Array.isArray(strategies)) {
    return strategies.flatMap((strategy, index) => strategyProblems(strategy, `strategies[${index}]`));
  }
  const remedy = 'Give a list of strategies, or names in config.pipeline.';
  return wrong('strategies', strategies, 'The strategies must be a list', remedy, 'strategy-invalid');
}

function hookProblems(hook: unknown): ErrorFields[] {
  if (hook === undefined || typeof hook === 'function') return [];
  const remedy = 'Give a function that returns { veto }, { strategies } or nothing.';
  return wrong('beforeCompress', hook, 'The hook must be a function', remedy);
}

function archiveProblems(archive: unknown): ErrorFields[] {
  const isArchive = ['keep', 'get', 'search', 'forget'].every(
    (call) => isFields(archive) && typeof archive[call] === 'function',
  );
  if (archive === undefined || isArchive) return [];
  const remedy = "Pass one of '@ctx/archive', such as memoryArchive().";
  return wrong('archive', archive, 'This is not an archive', remedy);
}

function conversationProblems(conversation: unknown): ErrorFields[] {
  if (conversation === undefined || (typeof conversation === 'string' && conversation !== '')) return [];
  const problem = 'The name of a conversation must be a non-empty string';
  const remedy = 'Give an id of its own.';
  return wrong('conversation', conversation, problem, remedy);
}

function sliceProblems(slices: unknown): ErrorFields[] {
  if (slices === undefined) return [];
  const { sliceMs = 0, pause, clock, shared, ...others } = isFields(slices) ? slices : { given: slices };
  const isRight =
    Object.keys(others).length === 0 &&
    typeof sliceMs === 'number' &&
    sliceMs >= 0 &&
    [pause, clock, shared].every((one) => one === undefined || typeof one === 'function');
  if (isRight) return [];
  const remedy = 'Give { sliceMs, pause, clock, shared }, each of which may be left out.';
  return wrong('slices', slices, 'These are not slices', remedy);
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
