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
