import { ConfigError } from '@ctx/core';
import { nearest } from '@ctx/core/kit';
import { type Ask, type ChatModel, chatModelOf } from '@ctx/strategy-condense';
import { isProfileName, type ProfileName, profileNames } from './profiles.js';

export const invalid = (problem: string, place: string, value: unknown, remedy: string) =>
  new ConfigError({ code: 'config-invalid', problem, place, value, remedy });

/** The known name that was probably meant, or all of them. */
export function suggestion(name: string, known: readonly string[]): string {
  const guess = nearest(name, known);
  return guess === undefined ? `Known are ${known.join(', ')}.` : `Did you mean "${guess}"?`;
}

/**
 * The profile of this name.
 * @throws ConfigError `config-invalid` if there is none
 */
export function checkedProfile(name: ProfileName): ProfileName {
  if (isProfileName(name)) return name;
  throw invalid('There is no such profile', 'profile', name, suggestion(String(name), profileNames));
}

/**
 * A model, or a function as one.
 * @param place the option that it is given in
 * @throws ConfigError `config-invalid` for what is not a model
 */
export function checkedModel(given: ChatModel | Ask, place: string): ChatModel {
  if (typeof given === 'function' || typeof given?.complete === 'function') return chatModelOf(given);
  const remedy = 'Give a model with complete(request), or a function (prompt) => Promise<string>.';
  throw invalid('The model has no function that completes', place, typeof given, remedy);
}

/**
 * Refuses options that a call does not take, such as the bare name of a profile, so that none is passed over in silence.
 * @throws ConfigError `config-invalid`
 */
export function refuseUnknown(options: object, known: readonly string[], call: string): void {
  if (typeof options !== 'object' || options === null)
    throw invalid('An object of options was expected', call, options, `Give { ${known.join(', ')} }.`);
  const unknown = Object.entries(options).find(([key]) => !known.includes(key));
  if (unknown === undefined) return;
  throw invalid('Unknown option', unknown[0], unknown[1], suggestion(unknown[0], known));
}

/** @throws ConfigError `config-invalid` for what is no number in a range, such as NaN, with which every comparison is false */
export function checkNumber(place: string, value: number, least = 0, most = Number.POSITIVE_INFINITY): void {
  const isFit = typeof value === 'number' && value >= least && value <= most;
  if (!isFit) throw invalid('A number was expected', place, value, `Give one from ${least} to ${most}.`);
}
