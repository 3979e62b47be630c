import type { DependencyContainer } from '../base/di.js';
import { type Config, ownSettings } from './config.js';
import { type Preset, type PresetRule, pluginsOf } from './container.js';
import type { ModelId } from './match.js';

/**
 * Adds settings that every configuration can override. The first preset that knows a model wins.
 * @throws ConfigError `config-invalid` for a value that is not a container of tsyringe
 */
export function registerPreset(container: DependencyContainer, preset: Preset): void {
  pluginsOf(container).presets.push(preset);
}

/** The settings of the first preset that knows the model. */
export function presetFor(
  container: DependencyContainer,
  id: ModelId,
  config: Config,
): PresetRule | undefined {
  const own = ownSettings(id, config);
  for (const preset of pluginsOf(container).presets) {
    const rule = preset(id, own, config.rules ?? []);
    if (rule !== undefined) return rule;
  }
  return undefined;
}
