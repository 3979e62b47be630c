import * as z from 'zod/mini';
import type { ErrorFields } from '../base/errors.js';
import { isFields, isPlain } from '../base/native.js';
import { fields, takes } from '../base/value-forms.js';
import { knownKeys } from '../config/config.js';
import { faultsIn } from '../config/faults.js';
import type { CheckOptions, CompressOptions, ManagerOptions } from './manager-options.js';

/** Checked elsewhere, or when it is used. */
const unchecked = z.optional(z.unknown());
const called = z.optional(z.custom((value) => typeof value === 'function', 'it must be a function'));
const name = takes('the name as a text', z.optional(z.nullable(z.string())));
const sliceMs = z.optional(
  z.custom((value) => typeof value === 'number' && value >= 0, 'it must be 0 or more'),
);
const isArchive = (value: unknown) =>
  ['keep', 'get', 'search', 'forget'].every((call) => isFields(value) && typeof value[call] === 'function');
const isDefinition = (value: unknown) =>
  typeof value === 'string' || (typeof value === 'object' && value !== null);
const areTools = (value: unknown) =>
  typeof value === 'string' ||
  value === null ||
  (Array.isArray(value) ? value.every(isDefinition) : isPlain(value));

const optionsOf = <Options>(shape: Record<keyof Options, z.ZodMiniType>) => z.strictObject(shape);

const manager: Record<keyof ManagerOptions, z.ZodMiniType> = {
  provider: name,
  model: name,
  config: unchecked,
  container: unchecked,
  strategies: z.optional(
    takes('a list of strategies, or give names in config.pipeline', z.array(z.unknown())),
  ),
  tools: z.optional(
    takes(
      'a list of tool definitions, an object of them, or a text',
      z.custom(areTools, 'it has other values'),
    ),
  ),
  counter: unchecked,
  beforeCompress: takes('a function that returns { veto }, { strategies } or nothing', called),
  now: takes('a function that returns ms since epoch', called),
  wait: takes('a function that waits', called),
  slices: z.optional(fields({ sliceMs, pause: called, clock: called, shared: called })),
  archive: z.optional(
    takes("one of '@ctx/archive', such as memoryArchive()", z.custom(isArchive, 'it is not an archive')),
  ),
  conversation: z.optional(
    takes('an id of its own, a text that is not empty', z.string().check(z.minLength(1))),
  ),
};
const targetTokens = takes(
  'a number of tokens, or leave it out to use the configured target',
  z.optional(z.custom((value) => typeof value === 'number' && !Number.isNaN(value), 'it must be a number')),
);
const check = { signal: unchecked, beforeSend: unchecked };
const compress = { strategy: unchecked, targetTokens, instructions: unchecked, signal: unchecked };

const schemas = {
  createContextManager: optionsOf<ManagerOptions>(manager),
  compressMessages: optionsOf<ManagerOptions & Pick<CompressOptions, 'strategy' | 'targetTokens'>>({
    ...manager,
    strategy: unchecked,
    targetTokens,
  }),
  add: optionsOf<CheckOptions>(check),
  checkAndCompress: optionsOf<CheckOptions>(check),
  setTools: z.strictObject({ tools: manager.tools }),
  recover: optionsOf<Pick<CheckOptions, 'signal'>>({ signal: unchecked }),
  compress: optionsOf<CompressOptions>(compress),
  simulate: optionsOf<Pick<CompressOptions, 'strategy' | 'targetTokens'>>({
    strategy: unchecked,
    targetTokens,
  }),
};

/** The faults of the options of a call, apart from those that need a container. */
export function optionFaults(options: unknown, call: keyof typeof schemas): ErrorFields[] {
  return faultsIn(schemas[call], options, {
    subject: `The options of ${call} are`,
    unknown: 'Unknown option',
    keys: 'The options',
    whole: 'options',
    remedyFor({ issue, path, guess }) {
      const key = String(path[0]);
      const takesConfig = 'config' in schemas[call].shape;
      if (issue.code !== 'unrecognized_keys' || !takesConfig || !knownKeys.includes(key)) return undefined;
      const meant = guess === undefined ? '' : `Did you mean "${guess}"? `;
      return `${meant}A setting goes into config: { config: { ${key}: … } }.`;
    },
  });
}
