import type { DependencyContainer } from '../base/di.js';
import type { Config, Rule } from './config.js';
import { pluginsOf } from './container.js';
import type { ModelId } from './match.js';

/** Settings, together with warnings that the user should see; `manager.warnings` shows them. */
export interface PresetRule extends Rule {
  readonly warnings?: readonly string[] | undefined;
}

/**
 * Returns the settings that suit a model; undefined if the preset does not know it.
 * @param own the configuration's own settings for this model, which override the preset's
 */
export type Preset = (id: ModelId, own: Omit<Config, 'rules'>) => PresetRule | undefined;

/**
 * Adds settings that every configuration can override. The first preset that knows a model wins.
 * @throws ConfigError `config-invalid` for what is no container of tsyringe
 */
export function registerPreset(container: DependencyContainer, preset: Preset): void {
  pluginsOf(container).presets.push(preset);
}

/** The settings of the first preset that knows the model. */
export function presetFor(
  container: DependencyContainer,
  id: ModelId,
  own: Omit<Config, 'rules'>,
): PresetRule | undefined {
  for (const preset of pluginsOf(container).presets) {
    const rule = preset(id, own);
    if (rule !== undefined) return rule;
  }
  return undefined;
}
