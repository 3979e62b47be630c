import {
  type ContextManager,
  createContainer,
  createContextManager as createPlainManager,
  type DependencyContainer,
  type ManagerOptions,
  registerPreset,
} from '@ctx/core';
import { register as registerHybrid } from '@ctx/strategy-hybrid';
import { register as registerMiddleRemoval } from '@ctx/strategy-middle-removal';
import { register as registerOldestRemoval } from '@ctx/strategy-oldest-removal';
import { presetFor } from './rules.js';

/** Registers every built-in strategy by its name, and the settings that suit each model. Returns the container. */
export function registerDefaults(container: DependencyContainer): DependencyContainer {
  registerMiddleRemoval(container);
  registerOldestRemoval(container);
  registerHybrid(container);
  registerPreset(container, presetFor);
  return container;
}

/**
 * A manager with every built-in strategy and the settings that suit the model.
 * @throws ConfigError as core's `createContextManager`
 */
export function createContextManager(options: ManagerOptions = {}): ContextManager {
  return createPlainManager({
    ...options,
    container: options.container ?? registerDefaults(createContainer()),
  });
}
