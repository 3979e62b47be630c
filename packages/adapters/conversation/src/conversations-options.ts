import {
  type Archive,
  ConfigError,
  type ContextManager,
  type ErrorFields,
  type ManagerOptions,
  type slicer,
} from '@ctx/core';
import { nearest } from '@ctx/core/kit';
import { createContextManager } from '@ctx/presets';
import type { StateStore } from './store.js';
import type { OnWarning } from './warnings.js';

export interface ConversationsOptions
  extends Omit<ManagerOptions, 'provider' | 'model' | 'tools' | 'conversation' | 'archive'> {
  /**
   * Keeps what is removed from the view. A function makes an archive of its own for each manager, such as one in memory: it is filled again if a
   * conversation is taken over from another process, and goes with the conversation. @default none
   */
  readonly archive?: Archive | (() => Archive) | undefined;
  /** Is given each new manager, with the key of its conversation. */
  readonly onManager?: ((manager: ContextManager, key: string) => void) | undefined;
  /**
   * Where compressions are kept for other processes that get requests of the same conversation, and for this one after a restart or when the
   * conversation has left memory. @default none
   */
  readonly states?: StateStore | undefined;
  /** How many conversations stay in memory; the least recently used is dropped first. @default 200 */
  readonly maxConversations?: number | undefined;
  /**
   * How many characters these conversations may have together; the least recently used is dropped first. In memory each takes about four bytes.
   * @default 64 million
   */
  readonly maxCharacters?: number | undefined;
  /** How long reading a history holds the event loop, where that is to go before compressions. @default `slices` */
  readonly reading?: NonNullable<Parameters<typeof slicer>[0]> | undefined;
  /** Is told once of each thing that ctx could not do or did not understand. @default `console.warn` */
  readonly onWarning?: OnWarning | undefined;
}

const ownKeys: Readonly<Record<Exclude<keyof ConversationsOptions, keyof ManagerOptions>, true>> = {
  onManager: true,
  states: true,
  reading: true,
  maxConversations: true,
  maxCharacters: true,
  onWarning: true,
};
const perRequest = ['provider', 'model', 'tools', 'conversation'];

const nothing = async () => [];
/** In the place of an archive that is made for each manager. */
const madeLater = { keep: nothing, get: nothing, search: nothing, forget: nothing };

/**
 * Refuses options that no conversation could be made with, before the first request.
 * @param others further options that the caller takes
 * @throws ConfigError as `createContextManager`
 */
export function refuseOptions(options: unknown, others: readonly string[] = []): void {
  if (typeof options !== 'object' || options === null) {
    const problem = 'The options must be an object';
    const remedy = 'Pass an object, such as { config: { contextWindow: 128000 } }, or leave it out.';
    throw new ConfigError({ code: 'config-invalid', place: 'options', value: options, problem, remedy });
  }
  const known = [...Object.keys(ownKeys), ...others];
  const given = Object.entries(options);
  const problems = [
    ...given.flatMap(([key, value]) => problemOf(key, value, known) ?? []),
    ...limits(options),
    ...ruledArrivals(options),
  ];
  if (problems.length > 0) throw new ConfigError(problems[0] as ErrorFields, problems.slice(1));
  const ofManagers = given
    .filter(([key]) => !known.includes(key))
    .map(([key, value]) => [key, key === 'archive' && typeof value === 'function' ? madeLater : value]);
  createContextManager(Object.fromEntries(ofManagers));
}

function limits({ maxConversations, maxCharacters }: ConversationsOptions): ErrorFields[] {
  return Object.entries({ maxConversations, maxCharacters }).flatMap(([place, value]): ErrorFields[] => {
    if (value === undefined || (Number.isInteger(value) && value > 0) || value === Infinity) return [];
    const remedy = 'Give a whole number from 1 on, or leave it out.';
    return [{ code: 'config-invalid', place, value, problem: 'This is not a limit', remedy }];
  });
}

/** A rule counts once its model is asked: too late to learn that nothing keeps what it shortens. */
function ruledArrivals({ config, archive }: ConversationsOptions): ErrorFields[] {
  const rules: unknown = config?.rules;
  if (!Array.isArray(rules) || archive !== undefined) return [];
  return rules.flatMap((rule: { readonly arrivals?: unknown } | null, at): ErrorFields[] => {
    if (!rule?.arrivals) return [];
    const problem = 'Results can be shortened on arrival only if an archive has all of them';
    const remedy = "Pass an archive, such as memoryArchive() from '@ctx/archive', or remove arrivals.";
    return [{ code: 'config-invalid', place: `rules[${at}].arrivals`, problem, remedy }];
  });
}

function problemOf(key: string, value: unknown, known: readonly string[]): ErrorFields | undefined {
  if (known.includes(key)) return undefined;
  const wrong = { code: 'config-invalid', place: key, value } as const;
  if (perRequest.includes(key))
    return {
      ...wrong,
      problem: 'Unknown option',
      remedy: `Remove it: ctx reads the ${key} from each request.`,
    };
  const guess = nearest(key, known);
  if (guess === undefined) return undefined;
  return { ...wrong, problem: 'Unknown option', remedy: `Did you mean "${guess}"?` };
}
