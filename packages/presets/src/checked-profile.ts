import { ConfigError } from '@ctx/core';
import { nearest } from '@ctx/core/kit';
import { isProfileName, type ProfileName, profileNames } from './profiles.js';

/**
 * The profile of this name.
 * @throws ConfigError `config-invalid` if there is none
 */
export function checkedProfile(name: ProfileName): ProfileName {
  if (isProfileName(name)) return name;
  const guess = typeof name === 'string' ? nearest(name, profileNames) : undefined;
  throw new ConfigError({
    code: 'config-invalid',
    problem: 'There is no such profile',
    place: 'profile',
    value: name,
    remedy: guess === undefined ? `Known are ${profileNames.join(', ')}.` : `Did you mean "${guess}"?`,
  });
}

/**
 * Refuses options that are none, such as the bare name of a profile: they would give the default without a word.
 * @throws ConfigError `config-invalid`
 */
export function refuseUnknown(options: object, known: readonly string[], place: string): void {
  const isObject = typeof options === 'object' && options !== null;
  const key = isObject ? Object.keys(options).find((one) => !known.includes(one)) : undefined;
  if (isObject && key === undefined) return;
  const guess = key === undefined ? undefined : nearest(key, known);
  throw new ConfigError({
    code: 'config-invalid',
    problem: key === undefined ? 'Options are an object' : `There is no option "${key}"`,
    place,
    value: key === undefined ? options : (options as Readonly<Record<string, unknown>>)[key],
    remedy:
      key === undefined
        ? "Give { profile: 'classic' }."
        : guess === undefined
          ? `Known are ${known.join(', ')}.`
          : `Did you mean "${guess}"?`,
  });
}
