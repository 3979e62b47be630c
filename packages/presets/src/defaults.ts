import {
  type ContextManager,
  createContainer,
  createContextManager as createPlainManager,
  type DependencyContainer,
  type ManagerOptions,
  registerPreset,
} from '@ctx/core';
import { register as registerCondense } from '@ctx/strategy-condense';
import { register as registerFileFolding } from '@ctx/strategy-file-folding';
import { register as registerHybrid } from '@ctx/strategy-hybrid';
import { register as registerImportance } from '@ctx/strategy-importance';
import { register as registerMiddleRemoval } from '@ctx/strategy-middle-removal';
import { register as registerOldestRemoval } from '@ctx/strategy-oldest-removal';
import { register as registerRelevance } from '@ctx/strategy-relevance';
import { register as registerSmartTruncation } from '@ctx/strategy-smart-truncation';
import { register as registerToolResults } from '@ctx/strategy-tool-results';
import { presetFor } from './rules.js';

/** Registers every built-in strategy by its name, and the settings that suit each model. Returns the container. */
export function registerDefaults(container: DependencyContainer): DependencyContainer {
  registerMiddleRemoval(container);
  registerOldestRemoval(container);
  registerHybrid(container);
  registerToolResults(container);
  registerFileFolding(container);
  registerSmartTruncation(container);
  registerImportance(container);
  registerCondense(container);
  registerRelevance(container);
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
