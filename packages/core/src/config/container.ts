import type { z } from 'zod';
import { type DependencyContainer, type InjectionToken, rootContainer } from '../base/di.js';
import { ConfigError, ValidationError } from '../base/errors.js';
import { type Fields, isFields } from '../base/native.js';
import type { EditKind } from '../view/edits/edit-kind.js';
import type { EditResolver } from '../view/resolver.js';
import { type Config, ownSettings, type Rule } from './config.js';
import type { ModelId } from './match.js';

/** Settings, together with warnings that the user should see; `manager.warnings` shows them. */
export interface PresetRule extends Rule {
  readonly warnings?: readonly string[] | undefined;
  /** True if no encoding that core has is the model's own, so that its counts are estimates. @default false */
  readonly isEstimated?: boolean | undefined;
}

/**
 * Returns the settings that suit a model; undefined if the preset does not know it.
 * @param own the configuration's own settings for this model, which override the preset's
 * @param rules all rules of the configuration, whatever they are for
 */
export type Preset = (
  id: ModelId,
  own: Omit<Config, 'rules'>,
  rules: readonly Rule[],
) => PresetRule | undefined;

const noPlugins = () => ({
  strategies: new Map<string, z.ZodType<unknown> | undefined>(),
  resolvers: new Map<string, EditResolver>(),
  kinds: new Map<string, EditKind>(),
  presets: [] as Preset[],
  forms: [] as NativeForm[],
  agentTexts: [] as string[],
  nods: new Set<string>(),
});
type Plugins = ReturnType<typeof noPlugins>;
const pluginsToken: InjectionToken<Plugins> = Symbol.for('@ctx/plugins');

/** Creates a container for strategies, ports and preset rules. A manager makes a child of it. Any container of tsyringe will do as well. */
export function createContainer(): DependencyContainer {
  const container = rootContainer.createChildContainer();
  addPlugins(container);
  return container;
}

function addPlugins(container: DependencyContainer): void {
  container.register<Plugins>(pluginsToken, { useValue: noPlugins() });
}

/**
 * What is registered in a container, or in the nearest of its parents that anything was registered in.
 * @throws ConfigError `config-invalid` for a value that is not a container of tsyringe
 */
export function pluginsOf(container: DependencyContainer): Plugins {
  if (typeof container?.isRegistered !== 'function') {
    throw new ConfigError({
      code: 'config-invalid',
      problem: 'This is not a container',
      place: 'container',
      value: container,
      remedy: 'Make it with createContainer() from @ctx/core, or give the container of tsyringe.',
    });
  }
  if (!container.isRegistered(pluginsToken, true)) addPlugins(container);
  return container.resolve(pluginsToken);
}

/** A form of messages that is not core's own, such as a provider's. */
export interface NativeForm {
  /** Whose form it is, for a sentence: "a message of NAME". */
  readonly name: string;
  /** True for a message in this form that core would misread or refuse. It has neither been checked nor decoded. */
  is(message: Fields): boolean;
  /** What to do with such a message, as a sentence. */
  readonly remedy: string;
}

/** @throws ValidationError `message-invalid` for a message in a form that is not core's own */
export function refuseNativeForm(forms: readonly NativeForm[], value: unknown, index: number): void {
  if (!isFields(value) || value.native !== undefined) return;
  const form = forms.find((one) => one.is(value));
  if (form === undefined) return;
  throw new ValidationError({
    code: 'message-invalid',
    problem: `This message has the form of ${form.name}, not that of core`,
    place: `messages[${index}]`,
    value: Object.keys(value),
    remedy: form.remedy,
  });
}

/**
 * Adds settings that every configuration can override. The first preset that knows a model wins.
 * @throws ConfigError `config-invalid` for a value that is not a container of tsyringe
 */
export function registerPreset(container: DependencyContainer, preset: Preset): void {
  pluginsOf(container).presets.push(preset);
}

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
