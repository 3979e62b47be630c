import {
  ContextManager,
  createContainer,
  type DependencyContainer,
  type ManagerOptions,
  registerAgentTexts,
  registerNativeForm,
  registerNods,
  registerPreset,
  type Steps,
  summarizerToken,
} from '@ctx/core';
import { isFields } from '@ctx/core/codec';
import { type Ask, type ChatModel, createSummarizer } from '@ctx/strategy-condense';
import { agentTexts } from './agent-texts.js';
import { checkedModel, checkedProfile, refuseUnknown } from './checked.js';
import { nativeForms } from './native-forms.js';
import { nods } from './nods.js';
import { isProfileName, type ProfileName } from './profiles.js';
import { presetFor, presetOf } from './rules.js';
import { registerStrategies } from './strategies.js';

/**
 * A pipeline that writes a summary and never fails: condense, smart truncation, a sliding window of 20, 3, then 1 message. If a stage
 * fails or falls short, the next one runs, and core's last resort follows them all.
 */
export const ladder: readonly string[] = ['condense', 'smart-truncation', 'sliding-window'];

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
  options: DefaultsOptions = {},
): DependencyContainer {
  refuseUnknown(options, ['profile'], 'defaults');
  const { profile } = options;
  registerStrategies(container);
  registerPreset(container, presetOf(profile === undefined ? profile : checkedProfile(profile)));
  for (const form of nativeForms) registerNativeForm(container, form);
  registerAgentTexts(container, agentTexts);
  registerNods(container, nods);
  return container;
}

/**
 * A new container with every built-in strategy and the settings that suit each model.
 * @throws ConfigError `config-invalid` for a profile that does not exist
 */
export function defaults(options?: DefaultsOptions): DependencyContainer {
  return registerDefaults(createContainer(), options);
}

export interface PresetManagerOptions extends ManagerOptions {
  /**
   * A model that summarises what is compressed: `condense` then runs first, and its summary stands before the excerpt. If it fails, the excerpt
   * is made alone. @default none
   */
  readonly summarize?: ChatModel | Ask | undefined;
}

/**
 * A manager with every built-in strategy and the settings that suit the model.
 * @throws ConfigError as `new ContextManager`
 */
export function createContextManager(options: PresetManagerOptions = {}): ContextManager {
  return new ContextManager(managerOptions(options));
}

/**
 * Restores the manager of a snapshot, for the same provider and model. If it had its own configuration, tools or container, pass them
 * again.
 * @throws CtxError `snapshot-invalid`, ValidationError for a message in it, ConfigError as `createContextManager`
 */
export function restore(snapshot: unknown, options: PresetManagerOptions = {}): ContextManager {
  return ContextManager.restore(snapshot, managerOptions(options));
}

/**
 * The same in steps, for `inSlices`.
 * @throws as `restore`
 */
export function restoreInSteps(snapshot: unknown, options: PresetManagerOptions = {}): Steps<ContextManager> {
  return ContextManager.restoreInSteps(snapshot, managerOptions(options));
}

function managerOptions(given: PresetManagerOptions): ManagerOptions {
  if (!isFields(given as unknown)) return given;
  const { summarize, ...options } = given;
  const { container = defaults(), config, provider, model } = options;
  if (summarize === undefined) return { ...options, container };
  const own = container.createChildContainer();
  const useValue = createSummarizer({ model: checkedModel(summarize, 'summarize') });
  own.register(summarizerToken, { useValue });
  const first = (pipeline: readonly string[]) => [
    'condense',
    ...pipeline.filter((name) => name !== 'condense'),
  ];
  const profile = isProfileName(config?.profile) ? config.profile : undefined;
  const usual = presetFor({ provider, model }, { profile }).pipeline ?? [];
  const rules = config?.rules?.map((rule) =>
    rule.pipeline === undefined ? rule : { ...rule, pipeline: first(rule.pipeline) },
  );
  return {
    ...options,
    container: own,
    config: { ...config, pipeline: first(config?.pipeline ?? usual), ...(rules !== undefined && { rules }) },
  };
}
