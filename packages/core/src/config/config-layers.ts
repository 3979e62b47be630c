import type { Config } from './config-schema.js';

/** Settings that lie over others. */
export type Layer = Omit<Config, 'rules'>;

/** A layer with those settings of the one below that it leaves as they are. */
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

/** Made by `fromEntries`, for which `__proto__` is a name like any other. */
function merged(below: object, above: object): object {
  const fields = new Map<string, unknown>(Object.entries(below));
  for (const [name, value] of Object.entries(above)) {
    const beneath = fields.get(name);
    if (isPlain(value) && isPlain(beneath)) fields.set(name, merged(beneath, value));
    else if (value !== undefined || beneath === undefined) fields.set(name, value);
  }
  return Object.fromEntries(fields);
}

/** An object as JSON has them: no list, and of no class. */
export function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
