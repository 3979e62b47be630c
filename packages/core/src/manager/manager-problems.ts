import type { DependencyContainer } from '../base/di.js';
import type { ErrorFields } from '../base/errors.js';
import { isFields } from '../base/native.js';
import { configProblems } from '../config/config-problems.js';
import { nameProblems } from '../config/registry.js';
import { strategyProblems } from '../view/strategy.js';
import type { ManagerOptions } from './manager-options.js';
import { managerKeys, unknownOptions } from './option-keys.js';

/** All problems of a manager's options, except those that strategies find in their own options. */
export function managerProblems(options: ManagerOptions, container: DependencyContainer): ErrorFields[] {
  const unknown = unknownOptions(options, managerKeys, 'createContextManager');
  if (!isFields(options)) return unknown;
  const { config = {}, strategies, beforeCompress, slices, archive, conversation, memory } = options;
  return [
    ...unknown,
    ...listProblems(strategies),
    ...hookProblems(beforeCompress),
    ...sliceProblems(slices),
    ...archiveProblems(archive, conversation, memory),
    ...configProblems(config),
    ...namesIn(config)
      .filter(({ place }) => place !== 'pipeline' || strategies === undefined)
      .flatMap(({ place, names }) => nameProblems(container, names, place)),
  ];
}

function listProblems(strategies: unknown): ErrorFields[] {
  if (strategies === undefined) return [];
  if (Array.isArray(strategies)) {
    return strategies.flatMap((strategy, index) => strategyProblems(strategy, `strategies[${index}]`));
  }
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

function hookProblems(hook: unknown): ErrorFields[] {
  if (hook === undefined || typeof hook === 'function') return [];
  return [
    {
      code: 'config-invalid',
      problem: 'The hook must be a function',
      place: 'beforeCompress',
      value: hook,
      remedy: 'Give a function that returns { veto }, { strategies } or nothing.',
    },
  ];
}

function archiveProblems(archive: unknown, conversation: unknown, memory: unknown): ErrorFields[] {
  const wrong = (place: string, value: unknown, problem: string, remedy: string): ErrorFields[] => [
    { code: 'config-invalid', problem, place, value, remedy },
  ];
  const calls = isFields(archive)
    ? ['keep', 'get', 'search', 'forget', memory === 'archive' ? 'originals' : 'get'].map(
        (call) => archive[call],
      )
    : [archive];
  const remedy = "Pass one of '@ctx/archive', such as memoryArchive().";
  if (archive !== undefined && calls.some((call) => typeof call !== 'function'))
    return wrong('archive', archive, 'This is no archive', remedy);
  if (memory !== undefined && memory !== 'all' && !(memory === 'archive' && archive !== undefined))
    return wrong('memory', memory, 'This is no archive', remedy);
  if (conversation === undefined || (typeof conversation === 'string' && conversation !== '')) return [];
  const problem = 'A conversation is named by a text that is not empty';
  return wrong(
    'conversation',
    conversation,
    problem,
    'Give an id that no other conversation in the archive has.',
  );
}

function sliceProblems(slices: unknown): ErrorFields[] {
  if (slices === undefined) return [];
  const { sliceMs = 0, pause, clock, ...others } = isFields(slices) ? slices : { given: slices };
  const isRight =
    Object.keys(others).length === 0 &&
    typeof sliceMs === 'number' &&
    sliceMs >= 0 &&
    [pause, clock].every((one) => one === undefined || typeof one === 'function');
  if (isRight) return [];
  return [
    {
      code: 'config-invalid',
      problem: 'The slices must have a length in ms and functions',
      place: 'slices',
      value: slices,
      remedy: 'It takes { sliceMs, pause, clock }, for example { sliceMs: 4 }.',
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
