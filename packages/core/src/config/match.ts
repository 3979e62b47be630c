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

export interface ModelId {
  /** Who serves the model. */
  readonly provider?: ProviderName | undefined;
  /** As the provider spells it, with or without `vendor/`. */
  readonly model?: ModelName | undefined;
}

/** True if a rule, in whose names * stands for any text, is for this model. Either part of a `vendor/model` id may match. */
export function matches(rule: ModelId, { provider, model }: ModelId): boolean {
  const path = (model ?? '').split('/');
  const fitsOne = (pattern: string | undefined, names: readonly (string | undefined)[]) =>
    pattern === undefined || names.some((name) => name !== undefined && fits(pattern, name));
  return (
    fitsOne(rule.provider, [provider, ...path.slice(0, -1)]) && fitsOne(rule.model, [model, path.at(-1)])
  );
}

/** The pieces between the stars must occur in the name in order: the first at its start, the last at its end. */
function fits(pattern: string, name: string): boolean {
  const text = name.toLowerCase();
  const [first = '', ...pieces] = pattern.toLowerCase().split('*');
  const last = pieces.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let end = first.length;
  for (const piece of pieces) {
    const start = text.indexOf(piece, end);
    if (start < 0) return false;
    end = start + piece.length;
  }
  return text.endsWith(last) && text.length - last.length >= end;
}
