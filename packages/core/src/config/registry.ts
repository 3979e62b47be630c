import type { z } from 'zod';
import { type DependencyContainer, type InjectionToken, injectable, rootContainer } from '../base/di.js';
import { ConfigError, type ErrorFields, refuse } from '../base/errors.js';
import { nearest } from '../base/nearest.js';
import type { CustomEdit } from '../view/edit.js';
import type { EditKind, EditKinds } from '../view/edits/edit-kind.js';
import { builtInKinds } from '../view/edits/index.js';
import type { EditResolver } from '../view/resolver.js';
import { type CompressionStrategy, defineStrategy } from '../view/strategy.js';
import type { Config, Rule } from './config.js';
import { placeOf, valueAt } from './config-problems.js';
import type { ModelId } from './match.js';

/** A strategy as a class: its constructor gets its options and ports injected. */
export interface StrategyClass<Options> {
  readonly name: string;
  readonly strategyName: string;
  readonly optionsSchema: z.ZodType<Options>;
  // biome-ignore lint/suspicious/noExplicitAny: a constructor's injected parameters are its own business.
  new (...dependencies: any[]): CompressionStrategy;
}

/** Names are global symbols, so that two copies of a package agree on them. */
export function strategyToken(name: string): InjectionToken<CompressionStrategy> {
  return Symbol.for(`@ctx/strategy/${name}`);
}

/** The token under which the constructor of a strategy gets its checked options. */
export function optionsToken(name: string): InjectionToken<unknown> {
  return Symbol.for(`@ctx/strategy-options/${name}`);
}

interface Plugins {
  readonly strategies: Map<string, z.ZodType<unknown> | undefined>;
  readonly resolvers: Map<string, EditResolver>;
  readonly kinds: Map<string, EditKind>;
  readonly presets: Preset[];
}
const pluginsToken: InjectionToken<Plugins> = Symbol.for('@ctx/plugins');

/** A container of its own for strategies, ports and preset rules; a manager makes a child of it. */
export function createContainer(): DependencyContainer {
  const container = rootContainer.createChildContainer();
  container.register<Plugins>(pluginsToken, {
    useValue: { strategies: new Map(), resolvers: new Map(), kinds: new Map(), presets: [] },
  });
  return container;
}

function pluginsOf(container: DependencyContainer): Plugins {
  if (typeof container?.isRegistered !== 'function' || !container.isRegistered(pluginsToken, true)) {
    throw new ConfigError({
      code: 'config-invalid',
      problem: 'The container was not made by createContainer',
      place: 'container',
      remedy: 'Make it with createContainer() from @ctx/core.',
    });
  }
  return container.resolve(pluginsToken);
}

/**
 * Registers a strategy under its name: an object made by `defineStrategy`, or a class.
 * @throws ConfigError `strategy-duplicate` or `strategy-invalid`
 */
export function registerStrategy<Options>(
  container: DependencyContainer,
  strategy: CompressionStrategy | StrategyClass<Options>,
): void {
  const { strategies } = pluginsOf(container);
  const isClass = typeof strategy === 'function';
  const name = isClass ? strategy.strategyName : defineStrategy(strategy).name;
  if (strategies.has(name)) {
    throw new ConfigError({
      code: 'strategy-duplicate',
      problem: 'A strategy with this name is already registered',
      value: name,
      remedy: 'Give yours another name, or register it in a container of its own.',
    });
  }
  strategies.set(name, isClass ? strategy.optionsSchema : undefined);
  if (isClass) {
    // A class decorated by another copy of tsyringe is unknown to this one; this makes it known.
    injectable()(strategy);
    container.register<CompressionStrategy>(strategyToken(name), { useClass: strategy });
  } else {
    container.register<CompressionStrategy>(strategyToken(name), { useValue: strategy });
  }
}

/**
 * Registers what turns edits of one type into resolved edits.
 * @throws ConfigError `config-invalid` for a container that createContainer did not make
 */
export function registerResolver(container: DependencyContainer, type: string, resolver: EditResolver): void {
  pluginsOf(container).resolvers.set(type, resolver);
}

export function resolverFor(container: DependencyContainer, type: string): EditResolver | undefined {
  return pluginsOf(container).resolvers.get(type);
}

/**
 * Registers a type of edit that core is to apply, besides its own; see docs/writing-an-edit.md.
 * @throws ConfigError `config-invalid` for a type that core has already
 */
export function registerEditKind<E extends CustomEdit>(
  container: DependencyContainer,
  type: E['type'],
  kind: EditKind<E>,
): void {
  if (Object.hasOwn(builtInKinds, type)) {
    throw new ConfigError({
      code: 'config-invalid',
      problem: 'Core has edits of this type already',
      place: 'registerEditKind',
      value: type,
      remedy: 'Give yours a name of its own.',
    });
  }
  pluginsOf(container).kinds.set(type, kind as unknown as EditKind);
}

/** The types of edits that a manager of this container can apply. */
export function editKindsIn(container: DependencyContainer): EditKinds {
  return { ...Object.fromEntries(pluginsOf(container).kinds), ...builtInKinds };
}

/** Settings, and what a user should know of them; `manager.warnings` says it. */
export interface PresetRule extends Rule {
  readonly warnings?: readonly string[] | undefined;
}

/**
 * The settings that suit a model; undefined where it knows none.
 * @param own what the configuration itself sets for this model, and what goes before the preset's
 */
export type Preset = (id: ModelId, own: Omit<Config, 'rules'>) => PresetRule | undefined;

/**
 * Adds settings that stand behind every configuration. The first preset that knows a model wins.
 * @throws ConfigError `config-invalid` for a container that createContainer did not make
 */
export function registerPreset(container: DependencyContainer, preset: Preset): void {
  pluginsOf(container).presets.push(preset);
}

export function presetFor(
  container: DependencyContainer,
  id: ModelId,
  own: Omit<Config, 'rules'>,
): PresetRule | undefined {
  for (const preset of pluginsOf(container).presets) {
    const rule = preset(id, own);
    if (rule !== undefined) return rule;
  }
  return undefined;
}

/**
 * The names of the strategies registered in a container.
 * @throws ConfigError `config-invalid` for a container that createContainer did not make
 */
export function strategyNames(container: DependencyContainer): string[] {
  return [...pluginsOf(container).strategies.keys()];
}

/**
 * Makes the checked options of every strategy injectable in a manager's own container.
 * @throws ConfigError that lists all that is wrong with them
 */
export function provideOptions(
  container: DependencyContainer,
  options: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): void {
  const { strategies } = pluginsOf(container);
  const problems = nameProblems(container, Object.keys(options), 'options');
  for (const [name, schema] of strategies) {
    if (schema === undefined) {
      if (Object.hasOwn(options, name)) problems.push(optionsNotTaken(name, options[name]));
      continue;
    }
    const parsed = schema.safeParse(options[name] ?? {});
    if (parsed.success) container.register(optionsToken(name), { useValue: parsed.data });
    else problems.push(...optionProblems(name, parsed.error, options[name]));
  }
  refuse(problems);
}

function optionsNotTaken(name: string, value: unknown): ErrorFields {
  return {
    code: 'config-invalid',
    problem: `Strategy "${name}" is registered as an object and takes no options from a configuration`,
    place: `options.${name}`,
    value,
    remedy: 'Give it its options where it is made, or register a class with an optionsSchema.',
  };
}

/**
 * Checks the options of a strategy and fills in its defaults.
 * @throws ConfigError `config-invalid`
 */
export function parseOptions<Options>(
  name: string,
  schema: z.ZodType<Options>,
  options: unknown = {},
): Options {
  const parsed = schema.safeParse(options);
  if (parsed.success) return parsed.data;
  refuse(optionProblems(name, parsed.error, options));
  throw parsed.error;
}

function optionProblems(name: string, { issues }: z.ZodError, options: unknown): ErrorFields[] {
  return issues.map((issue) => ({
    code: 'config-invalid',
    problem: `The options of strategy "${name}" are invalid: ${issue.message}`,
    place: placeOf(['options', name, ...issue.path]),
    value: valueAt(issue.path, options),
    remedy: `See the README of the package that provides "${name}".`,
  }));
}

/**
 * The strategy of that name, with its dependencies injected.
 * @throws ConfigError `strategy-unknown`, with the nearest name there is
 */
export function resolveStrategy(
  container: DependencyContainer,
  name: string,
  place = 'pipeline',
): CompressionStrategy {
  refuse(nameProblems(container, [name], place));
  return container.resolve(strategyToken(name));
}

/** Names at a place of which no strategy is registered, each with the nearest that is. */
export function nameProblems(
  container: DependencyContainer,
  given: readonly string[],
  place: string,
): ErrorFields[] {
  const names = strategyNames(container);
  return given
    .filter((name) => !names.includes(name))
    .map((name) => ({
      code: 'strategy-unknown',
      problem: 'There is no strategy of this name',
      place,
      value: name,
      remedy: remedyFor(name, names),
    }));
}

function remedyFor(name: string, names: readonly string[]): string {
  const guess = nearest(name, names);
  if (guess !== undefined) return `Did you mean "${guess}"?`;
  return names.length === 0
    ? 'None is registered: call registerDefaults(container) from @ctx/presets, or registerStrategy.'
    : `Registered are ${names.join(', ')}.`;
}
