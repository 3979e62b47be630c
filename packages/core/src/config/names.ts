import type { KnownModels, KnownProviders, KnownStrategies } from './known-names.js';

/** Any other name, without the loss of the known ones in an editor's list. */
type AnyName = string & Record<never, never>;

/** The name of a strategy: a known one, or one of your own. */
export type StrategyName = (keyof KnownStrategies & string) | AnyName;
/** The name of a provider, such as the one in a rule. */
export type ProviderName = (keyof KnownProviders & string) | AnyName;
/** The id of a model. */
export type ModelName = (keyof KnownModels & string) | AnyName;

/** Options by the name of the strategy. */
export type StrategyOptions =
  | { [Name in keyof KnownStrategies]?: KnownStrategies[Name] | undefined }
  | Record<string, Record<string, unknown>>;
