import type { z } from 'zod';
import { type DependencyContainer, type InjectionToken, rootContainer } from '../base/di.js';
import { ConfigError } from '../base/errors.js';
import type { EditKind } from '../view/edits/edit-kind.js';
import type { EditResolver } from '../view/resolver.js';
import type { NativeForm } from './native-forms.js';
import type { Preset } from './presets.js';

/** What is registered in a container, apart from ports. */
interface Plugins {
  readonly strategies: Map<string, z.ZodType<unknown> | undefined>;
  readonly resolvers: Map<string, EditResolver>;
  readonly kinds: Map<string, EditKind>;
  readonly presets: Preset[];
  readonly forms: NativeForm[];
}
const pluginsToken: InjectionToken<Plugins> = Symbol.for('@ctx/plugins');

/** Creates a container for strategies, ports and preset rules. A manager makes a child of it. */
export function createContainer(): DependencyContainer {
  const container = rootContainer.createChildContainer();
  container.register<Plugins>(pluginsToken, {
    useValue: { strategies: new Map(), resolvers: new Map(), kinds: new Map(), presets: [], forms: [] },
  });
  return container;
}

/** @throws ConfigError `config-invalid` if createContainer did not make the container */
export function pluginsOf(container: DependencyContainer): Plugins {
  if (typeof container?.isRegistered !== 'function' || !container.isRegistered(pluginsToken, true)) {
    throw new ConfigError({
      code: 'config-invalid',
      problem: 'The container was not made by createContainer',
      place: 'container',
      remedy: 'Make it with createContainer() from @ctx/core.',
    });
  }
  return container.resolve(pluginsToken);
}
