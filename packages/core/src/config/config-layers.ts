import { isPlain } from '../base/native.js';
import type { Config } from './config-keys.js';

/** Settings that override those of a layer below. */
export type Layer = Omit<Config, 'rules'>;

/** Puts a layer over the one below. Settings that the layer does not give are taken from below. */
export function over(below: Layer, layer: Layer): Layer {
  const { target, warn, ...kept } = below;
  return {
    ...(layer.trigger === undefined ? below : kept),
    ...given(layer),
    options: merged(below.options ?? {}, layer.options ?? {}) as NonNullable<Config['options']>,
  };
}

/** The fields that are not undefined. */
export function given<Fields extends object>(fields: Fields = {} as Fields): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<Fields>;
}

/** Uses `fromEntries`, for which `__proto__` is an ordinary name. */
function merged(below: object, above: object): object {
  const fields = new Map<string, unknown>(Object.entries(below));
  for (const [name, value] of Object.entries(above)) {
    const beneath = fields.get(name);
    if (isPlain(value) && isPlain(beneath)) fields.set(name, merged(beneath, value));
    else if (value !== undefined || beneath === undefined) fields.set(name, value);
  }
  return Object.fromEntries(fields);
}
