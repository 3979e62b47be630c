import type { z } from 'zod';
import { type DependencyContainer, type InjectionToken, injectable } from '../base/di.js';
import { ConfigError, type ErrorFields, refuse } from '../base/errors.js';
import { nearest } from '../base/nearest.js';
import { valueAt } from '../base/value-forms.js';
import type { TextsWithoutTask } from '../transcript/persons-words.js';
import type { CustomEdit } from '../view/edit.js';
import type { EditKind, EditKinds } from '../view/edits/edit-kind.js';
import { builtInKinds } from '../view/edits/index.js';
import type { EditResolver } from '../view/resolver.js';
import { type CompressionStrategy, defineStrategy } from '../view/strategy.js';
import { layersIn } from './config.js';
import type { Config } from './config-keys.js';
import { type NativeForm, pluginsOf } from './container.js';
import { optionsToken, parseOptions, strategyFaults } from './faults.js';

/** A strategy as a class. Its options and ports are injected into its constructor. */
export interface StrategyClass<Options> {
  readonly name: string;
  readonly strategyName: string;
  readonly optionsSchema: z.ZodType<Options>;
  // biome-ignore lint/suspicious/noExplicitAny: a constructor's injected parameters are its own business.
  new (...dependencies: any[]): CompressionStrategy;
}

/** Uses global symbols, so that two copies of a package agree on the names. */
export function strategyToken(name: string): InjectionToken<CompressionStrategy> {
  return Symbol.for(`${strategyPrefix}${name}`);
}
const strategyPrefix = '@ctx/strategy/';

export function nameOfToken(token: InjectionToken): string | undefined {
  const key = typeof token === 'symbol' ? Symbol.keyFor(token) : undefined;
  return key?.startsWith(strategyPrefix) ? key.slice(strategyPrefix.length) : undefined;
}

/**
 * Registers a strategy under its name: the result of `strategyFactory`, an object made by `defineStrategy`, or a class.
 * @throws ConfigError `strategy-duplicate` or `strategy-invalid`
 */
export function registerStrategy<Options>(
  container: DependencyContainer,
  strategy:
    | CompressionStrategy
    | StrategyClass<Options>
    | (((...given: never) => unknown) & { register(container: DependencyContainer): void }),
): void {
  if (typeof strategy === 'function' && 'register' in strategy) {
    strategy.register(container);
    return;
  }
  if (typeof strategy !== 'function' || !('strategyName' in strategy)) {
    const useValue = defineStrategy(strategy as CompressionStrategy);
    claimName(container, useValue.name, undefined);
    container.register<CompressionStrategy>(strategyToken(useValue.name), { useValue });
    return;
  }
  claimName(container, strategy.strategyName, strategy.optionsSchema);
  // A class decorated by another copy of tsyringe is unknown to this copy, so it is decorated again.
  injectable()(strategy);
  container.register<CompressionStrategy>(strategyToken(strategy.strategyName), { useClass: strategy });
}

/**
 * Reserves a name for a strategy, with the schema of its options.
 * @throws ConfigError `strategy-duplicate`
 */
export function claimName(
  container: DependencyContainer,
  name: string,
  schema: z.ZodType<unknown> | undefined,
): void {
  const { strategies } = pluginsOf(container);
  if (strategies.has(name)) {
    throw new ConfigError({
      code: 'strategy-duplicate',
      problem: 'A strategy with this name is already registered',
      value: name,
      remedy: 'Give yours another name, or register it in a separate container.',
    });
  }
  strategies.set(name, schema);
  // Until a configuration has options of its own for it, in the container of a manager.
  if (schema !== undefined)
    container.register(optionsToken(name), { useFactory: () => parseOptions(name, schema, {}) });
}

/**
 * Registers a resolver that turns edits of one type into resolved edits.
 * @throws ConfigError `config-invalid` for a value that is not a container of tsyringe
 */
export function registerResolver(container: DependencyContainer, type: string, resolver: EditResolver): void {
  pluginsOf(container).resolvers.set(type, resolver);
}

/**
 * Registers an edit type of your own for core to apply; see docs/writing-an-edit.md.
 * @throws ConfigError `config-invalid` for a type that core already has
 */
export function registerEditKind<E extends CustomEdit>(
  container: DependencyContainer,
  type: E['type'],
  kind: EditKind<E>,
): void {
  if (Object.hasOwn(builtInKinds, type)) {
    throw new ConfigError({
      code: 'config-invalid',
      problem: 'Core already has edits of this type',
      place: 'registerEditKind',
      value: type,
      remedy: 'Give yours another name.',
    });
  }
  pluginsOf(container).kinds.set(type, kind as unknown as EditKind);
}

export function editKindsIn(container: DependencyContainer): EditKinds {
  return { ...Object.fromEntries(pluginsOf(container).kinds), ...builtInKinds };
}

/**
 * Adds a form of messages that is not core's own, so that `append` can tell what to do with such a message.
 * @throws ConfigError `config-invalid` for a value that is not a container of tsyringe
 */
export function registerNativeForm(container: DependencyContainer, form: NativeForm): void {
  pluginsOf(container).forms.push(form);
}

/**
 * Registers how texts begin that agents write in the name of their user, such as a notice that an answer was cut off. They set no task.
 * @throws ConfigError `config-invalid` for a value that is not a container of tsyringe, or not a list of texts
 */
export function registerAgentTexts(container: DependencyContainer, beginnings: readonly string[]): void {
  pluginsOf(container).agentTexts.push(...textsIn(beginnings, 'registerAgentTexts'));
}

/**
 * Registers words, in lower case, of messages that say no more than that the work should go on, such as "weiter". They set no task. Those in
 * English are known.
 * @throws as `registerAgentTexts`
 */
export function registerNods(container: DependencyContainer, words: readonly string[]): void {
  for (const word of textsIn(words, 'registerNods')) pluginsOf(container).nods.add(word);
}

function textsIn(texts: readonly string[], place: string): readonly string[] {
  if (Array.isArray(texts) && texts.every((text) => typeof text === 'string' && text !== '')) return texts;
  throw new ConfigError({
    code: 'config-invalid',
    problem: 'A list of texts was expected, none of them empty',
    place,
    value: texts,
    remedy: 'Give the texts as a list.',
  });
}

export function textsWithoutTaskIn(container: DependencyContainer): TextsWithoutTask {
  const { agentTexts, nods } = pluginsOf(container);
  return {
    isAgentText: (text) => agentTexts.some((beginning) => text.startsWith(beginning)),
    isNod: (word) => nods.has(word),
  };
}

/**
 * The names of the strategies registered in a container.
 * @throws ConfigError `config-invalid` for a value that is not a container of tsyringe
 */
export function strategyNames(container: DependencyContainer): string[] {
  return [...pluginsOf(container).strategies.keys()];
}

/**
 * Checks the options of every strategy and makes them injectable in a manager's own container.
 * @throws ConfigError that lists all problems
 */
export function provideOptions(
  container: DependencyContainer,
  options: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): void {
  const { strategies } = pluginsOf(container);
  const problems = nameProblems(container, Object.keys(options), 'options');
  for (const [name, schema] of strategies) {
    if (schema === undefined) {
      if (Object.hasOwn(options, name))
        problems.push({
          code: 'config-invalid',
          problem: `Strategy "${name}" is registered as an object and takes no options from a configuration`,
          place: `options.${name}`,
          value: options[name],
          remedy: 'Pass the options when you create it, or register the result of strategyFactory.',
        });
      continue;
    }
    const own = options[name] ?? {};
    problems.push(...strategyFaults(name, schema, own));
    container.register(optionsToken(name), { useFactory: () => parseOptions(name, schema, own) });
  }
  refuse(problems);
}

/** The problems of the strategy options in a configuration's rules, also of those for other models. Reads rules that have the form of one. */
export function ruleOptionProblems(container: DependencyContainer, config: Config): ErrorFields[] {
  const { strategies } = pluginsOf(container);
  const [, ...rules] = layersIn(config);
  return rules.flatMap(({ at, own: { options = {} }, merged }) => {
    const all: Readonly<Record<string, unknown>> = merged.options ?? {};
    return Object.entries(options).flatMap(([name, own]) => {
      const schema = strategies.get(name);
      if (schema === undefined) return [];
      // Not what is wrong in another layer.
      const counts = (path: readonly PropertyKey[]) => valueAt(path, own) !== undefined;
      return strategyFaults(name, schema, all[name], { place: `${at}options`, counts });
    });
  });
}

/**
 * The strategy with this name, with its dependencies injected.
 * @throws ConfigError `strategy-unknown`, with the nearest existing name
 */
export function resolveStrategy(
  container: DependencyContainer,
  name: string,
  place = 'pipeline',
): CompressionStrategy {
  refuse(nameProblems(container, [name], place));
  return container.resolve(strategyToken(name));
}

/** The given names for which no strategy is registered, each with the nearest that is. */
export function nameProblems(
  container: DependencyContainer,
  given: readonly string[],
  place: string,
): ErrorFields[] {
  const names = strategyNames(container);
  const others =
    names.length === 0
      ? 'None is registered: call registerDefaults(container) from @ctx/presets, or registerStrategy.'
      : `Registered are ${names.join(', ')}.`;
  const remedyFor = (guess: string | undefined) =>
    guess === undefined ? others : `Did you mean "${guess}"?`;
  return given
    .filter((name) => !names.includes(name))
    .map((name) => ({
      code: 'strategy-unknown',
      problem: 'There is no strategy of this name',
      place,
      value: name,
      remedy: remedyFor(nearest(name, names)),
    }));
}
