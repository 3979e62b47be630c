import type { z } from 'zod';
import { type DependencyContainer, type InjectionToken, rootContainer } from '../base/di.js';
import { ConfigError } from '../base/errors.js';
import type { EditKind } from '../view/edits/edit-kind.js';
import type { EditResolver } from '../view/resolver.js';
import type { Config, Rule } from './config.js';
import type { ModelId } from './match.js';
import type { NativeForm } from './native-forms.js';

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

/** What is registered in a container, apart from ports. */
interface Plugins {
  readonly strategies: Map<string, z.ZodType<unknown> | undefined>;
  readonly resolvers: Map<string, EditResolver>;
  readonly kinds: Map<string, EditKind>;
  readonly presets: Preset[];
  readonly forms: NativeForm[];
  readonly agentTexts: string[];
  readonly nods: Set<string>;
}
const pluginsToken: InjectionToken<Plugins> = Symbol.for('@ctx/plugins');

/** Creates a container for strategies, ports and preset rules. A manager makes a child of it. Any container of tsyringe will do as well. */
export function createContainer(): DependencyContainer {
  const container = rootContainer.createChildContainer();
  addPlugins(container);
  return container;
}

function addPlugins(container: DependencyContainer): void {
  container.register<Plugins>(pluginsToken, {
    useValue: {
      strategies: new Map(),
      resolvers: new Map(),
      kinds: new Map(),
      presets: [],
      forms: [],
      agentTexts: [],
      nods: new Set(),
    },
  });
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
