import {
  ContextManager,
  createContainer,
  type DependencyContainer,
  type ManagerOptions,
  registerAgentTexts,
  registerNativeForm,
  registerPreset,
  type Steps,
} from '@ctx/core';
import { agentTexts } from './agent-texts.js';
import { checkedProfile } from './checked-profile.js';
import { nativeForms } from './native-forms.js';
import type { ProfileName } from './profiles.js';
import { presetOf } from './rules.js';
import { registerStrategies } from './strategies.js';

export interface DefaultsOptions {
  /** Which strategies models get; `config.profile` overrides it. @default relevance */
  readonly profile?: ProfileName | undefined;
}

/**
 * Registers every built-in strategy by its name, and the settings that suit each model. Returns the container.
 * @throws ConfigError `config-invalid` for a profile that does not exist
 */
export function registerDefaults(
  container: DependencyContainer,
  { profile }: DefaultsOptions = {},
): DependencyContainer {
  registerStrategies(container);
  registerPreset(container, presetOf(profile === undefined ? profile : checkedProfile(profile)));
  for (const form of nativeForms) registerNativeForm(container, form);
  for (const { begins } of agentTexts) registerAgentTexts(container, begins);
  return container;
}

/**
 * A new container with every built-in strategy and the settings that suit each model.
 * @throws ConfigError `config-invalid` for a profile that does not exist
 */
export function defaults(options?: DefaultsOptions): DependencyContainer {
  return registerDefaults(createContainer(), options);
}

/**
 * A manager with every built-in strategy and the settings that suit the model.
 * @throws ConfigError as core's `createContextManager`
 */
export function createContextManager(options: ManagerOptions = {}): ContextManager {
  return new ContextManager({ ...options, container: options.container ?? defaults() });
}

/**
 * Restores the manager of a snapshot, for the same provider and model. If it had its own configuration, tools or container, pass them
 * again.
 * @throws CtxError `snapshot-invalid`, ValidationError for a message in it, ConfigError as `createContextManager`
 */
export function restore(snapshot: unknown, options: ManagerOptions = {}): ContextManager {
  return ContextManager.restore(snapshot, { ...options, container: options.container ?? defaults() });
}

/**
 * The same in steps, for `inSlices`.
 * @throws as `restore`
 */
export function restoreInSteps(snapshot: unknown, options: ManagerOptions = {}): Steps<ContextManager> {
  return ContextManager.restoreInSteps(snapshot, { ...options, container: options.container ?? defaults() });
}
