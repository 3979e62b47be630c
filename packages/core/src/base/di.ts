import 'reflect-metadata/lite';
import type { InjectionToken } from 'tsyringe';

export {
  container as rootContainer,
  type DependencyContainer,
  type InjectionToken,
  inject,
  injectable,
} from 'tsyringe';

/** The token of a port: a function from outside core, such as `summarize` or `fold`. */
export function portToken<Port>(name: string): InjectionToken<Port> {
  return Symbol.for(`@ctx/port/${name}`);
}
