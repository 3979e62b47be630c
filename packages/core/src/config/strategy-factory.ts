import type { z } from 'zod';
import type { DependencyContainer, InjectionToken } from '../base/di.js';
import { type ErrorFields, refuse } from '../base/errors.js';
import { isFields } from '../base/native.js';
import {
  type CompressionStrategy,
  defineStrategy,
  type Plan,
  type PlanContext,
  strategyProblems,
} from '../view/strategy.js';
import { optionsToken, parseOptions } from './faults.js';
import { claimName, nameOfToken, nameProblems, strategyToken } from './registry.js';

/** Everything that is needed to make and register a strategy. */
export interface StrategyDeclaration<
  Schema extends z.ZodType = z.ZodType,
  Injected extends object = object,
  Planned extends Plan | Promise<Plan> = Plan | Promise<Plan>,
> {
  /** Unique, kebab-case; configurations refer to it. */
  readonly name: string;
  /** The edit types it proposes, or a function that derives them from what is injected. */
  readonly emits: readonly string[] | ((injected: Injected) => readonly string[]);
  /** As in `CompressionStrategy`. @default false */
  readonly partial?: boolean | undefined;
  /** Checks the options and fills in defaults. Each option explains itself with `.describe`. */
  readonly options: Schema;
  /** Other strategies and ports that it needs: `{ oldest: strategyToken('oldest') }`. */
  readonly inject?: { readonly [Key in keyof Injected]: InjectionToken<Injected[Key]> };
  /** As in `CompressionStrategy`, with the checked options and the injected values. */
  plan(context: PlanContext, options: z.output<Schema>, injected: Injected): Planned;
}

/** A strategy together with its options. */
export interface ConfiguredStrategy<
  Options = unknown,
  Planned extends Plan | Promise<Plan> = Plan | Promise<Plan>,
> extends CompressionStrategy {
  readonly options: Options;
  plan(context: PlanContext): Planned;
}

/** The plain type of a plan. Details of an inferred type do not matter to callers. */
type PlainPlan<Planned> = Planned extends Promise<unknown> ? Promise<Plan> : Plan;

/** The arguments of a factory: the options and the injected values in one object. Optional if all of them are. */
type Given<Schema extends z.ZodType, Injected> =
  Record<never, never> extends z.input<Schema>
    ? keyof Injected extends never
      ? [options?: z.input<Schema>]
      : [options: z.input<Schema> & Injected]
    : [options: z.input<Schema> & Injected];

/** Makes a strategy when called, with or without `new`. Can also register it by its name. */
export interface StrategyFactory<
  Schema extends z.ZodType,
  Injected extends object,
  Planned extends Plan | Promise<Plan>,
> {
  /** @throws ConfigError `config-invalid` for wrong options, or if something it needs is not given */
  (...given: Given<Schema, Injected>): ConfiguredStrategy<z.output<Schema>, Planned>;
  new (...given: Given<Schema, Injected>): ConfiguredStrategy<z.output<Schema>, Planned>;
  readonly declaration: StrategyDeclaration<Schema, Injected>;
  /**
   * Makes the strategy available by its name, with the options from the configuration.
   * @throws ConfigError `strategy-duplicate`
   */
  register(container: DependencyContainer): void;
}

/**
 * Turns one declaration into a factory, which creates the strategy and registers it by name.
 * @throws ConfigError `strategy-invalid` for a declaration without a name, edit types, a schema or a plan
 */
export function strategyFactory<
  Schema extends z.ZodType,
  Injected extends object = object,
  Planned extends Plan | Promise<Plan> = Plan,
>(
  declaration: StrategyDeclaration<Schema, Injected, Planned>,
): StrategyFactory<Schema, Injected, PlainPlan<Planned>> {
  refuse(declarationProblems(declaration));
  const { name, emits, partial, options: schema } = declaration;
  const inject = Object.entries(declaration.inject ?? {}) as [keyof Injected & string, InjectionToken][];

  const checked = (options: unknown) => parseOptions(name, schema as z.ZodType<z.output<Schema>>, options);

  function create(options: z.output<Schema>, injected: Injected) {
    return defineStrategy({
      name,
      emits: typeof emits === 'function' ? emits(injected) : emits,
      ...(partial !== undefined && { partial }),
      options,
      plan: (context: PlanContext) => declaration.plan(context, options, injected),
    }) as ConfiguredStrategy<z.output<Schema>, PlainPlan<Planned>>;
  }

  function make(given: unknown = {}) {
    if (inject.length === 0) return create(checked(given), {} as Injected);
    const all = isFields(given) ? given : {};
    const missing = inject.filter(([key]) => all[key] === undefined);
    refuse(
      missing.map(([key]) => ({
        code: 'config-invalid',
        problem: `Strategy "${name}" needs "${key}"`,
        place: `${name}.${key}`,
        remedy: `Give it: ${functionName(name)}({ ${key}: … }).`,
      })),
    );
    const isInjected = ([key]: [string, unknown]) => inject.some(([other]) => other === key);
    const entries = Object.entries(all);
    const options = Object.fromEntries(entries.filter((entry) => !isInjected(entry)));
    return create(checked(options), Object.fromEntries(entries.filter(isInjected)) as Injected);
  }

  function register(container: DependencyContainer): void {
    claimName(container, name, schema);
    container.register<CompressionStrategy>(strategyToken(name), {
      useFactory(own) {
        refuse(inject.flatMap(([key, token]) => notRegistered(own, `${name}.${key}`, token)));
        const injected = inject.map(([key, token]) => [key, own.resolve(token)]);
        return create(own.resolve<z.output<Schema>>(optionsToken(name)), Object.fromEntries(injected));
      },
    });
  }

  Object.defineProperty(make, 'name', { value: functionName(name) });
  // A function that returns an object can be called with `new`, which TypeScript does not know.
  return Object.assign(make, { declaration, register }) as unknown as StrategyFactory<
    Schema,
    Injected,
    PlainPlan<Planned>
  >;
}

function declarationProblems(
  given: Pick<StrategyDeclaration<z.ZodType, never>, 'name' | 'emits' | 'options'>,
): ErrorFields[] {
  const { name, emits, options } = given;
  const place = 'strategyFactory';
  const problems = strategyProblems({ ...given, emits: typeof emits === 'function' ? [] : emits }, place);
  if (problems.length > 0 || typeof options?.safeParse === 'function') return problems;
  return [
    {
      code: 'strategy-invalid',
      problem: `Strategy "${name}" needs a schema for its options`,
      place,
      value: options,
      remedy: 'Declare it with zod. A strategy without options has options: z.strictObject({}).',
    },
  ];
}

function notRegistered(container: DependencyContainer, place: string, token: InjectionToken): ErrorFields[] {
  if (container.isRegistered(token, true)) return [];
  const strategy = nameOfToken(token);
  if (strategy !== undefined) return nameProblems(container, [strategy], place);
  return [
    {
      code: 'config-invalid',
      problem: 'The strategy needs something that is not registered',
      place,
      value: String(token),
      remedy: 'Register it in the container: container.register(token, { useValue: … }).',
    },
  ];
}

const functionName = (name: string): string =>
  name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
