import * as z from 'zod/mini';
import type { Trigger } from '../budget/trigger.js';

const share = z.number().check(z.gt(0), z.maximum(1));
const tokens = z.int().check(z.positive());
const price = z.number().check(z.minimum(0), z.maximum(1_000_000));
const names = z.array(z.string().check(z.minLength(1))).check(z.minLength(1));

const triggerSchema: z.ZodMiniType<Trigger, Trigger> = z.lazy(() =>
  z
    .strictObject({
      fraction: z.optional(share),
      tokens: z.optional(tokens),
      messages: z.optional(z.int().check(z.positive())),
      allowedTokens: z.optional(z.boolean()),
      window: z.optional(z.boolean()),
      cost: z.optional(z.boolean()),
      any: z.optional(z.array(triggerSchema).check(z.minLength(1))),
      all: z.optional(z.array(triggerSchema).check(z.minLength(1))),
    })
    .check(z.refine((trigger) => Object.keys(trigger).length > 0, 'needs at least one condition')),
);

/**
 * Settings that are allowed both in a rule and at the top level of a configuration. All are optional; see `defaults`.
 */
const settings = {
  enabled: z.optional(
    z.boolean().check(z.describe('False: compression runs only by hand, with compress().')),
  ),
  contextWindow: z.optional(tokens.check(z.describe("The model's hard input limit, in tokens."))),
  reserve: z.optional(z.int().check(z.minimum(0), z.describe('Tokens kept free for the answer.'))),
  trigger: z.optional(triggerSchema),
  target: z.optional(
    z
      .strictObject({
        fraction: z.optional(share),
        room: z.optional(share),
        tokens: z.optional(tokens),
        atLeast: z.optional(tokens),
      })
      .check(
        z.refine(
          ({ fraction, room, tokens: given }) =>
            [fraction, room, given].filter((one) => one !== undefined).length === 1,
          'takes either fraction, room or tokens',
        ),
        z.refine(
          ({ tokens: given, atLeast }) => atLeast === undefined || given === undefined,
          'atLeast goes with fraction or room',
        ),
      ),
  ),
  warn: z.optional(share.check(z.describe('Share of the window where level WARNING starts.'))),
  minMessagesToKeep: z.optional(z.int().check(z.minimum(1))),
  pipeline: z.optional(names.check(z.describe('Names of strategies, in order.'))),
  beforeSend: z.optional(
    z
      .union([
        z.literal(false),
        z.strictObject({ pipeline: names, atLeast: z.optional(z.int().check(z.minimum(0))) }),
      ])
      .check(
        z.describe('Strategies that run before every send, even below the trigger, if they free enough.'),
      ),
  ),
  options: z.optional(
    z.record(z.string(), z.record(z.string(), z.unknown())).check(z.describe('Options by strategy name.')),
  ),
  encoding: z.optional(z.enum(['o200k_base', 'cl100k_base'])),
  overhead: z.optional(
    z.strictObject({
      message: z.int().check(z.minimum(0)),
      conversation: z.int().check(z.minimum(0)),
    }),
  ),
  prior: z.optional(
    z
      .strictObject({
        offset: z.number(),
        factor: z.number().check(z.positive()),
        perToolCall: z.number(),
        withTools: z.optional(z.number()),
      })
      .check(z.describe("The provider's expected figures, until usage is reported.")),
  ),
  prices: z.optional(
    z
      .strictObject({ cacheRead: z.optional(price), cacheWrite: z.optional(price) })
      .check(
        z.describe(
          'Price of a token read from the prompt cache, or written into it, relative to an uncached input token.',
        ),
      ),
  ),
  leadingUser: z.optional(
    z.boolean().check(z.describe("The first message after the system prompt must be the user's.")),
  ),
  reasoning: z.optional(
    z
      .enum(['bound', 'kept', 'dropped'])
      .check(
        z.describe(
          "Which of the assistant's reasoning is sent back: only that bound to an unchanged prefix, all, or none.",
        ),
      ),
  ),
  recallTool: z.optional(
    z
      .string()
      .check(
        z.minLength(1),
        z.describe('The tool that gives back what left the view. Its results leave the view first.'),
      ),
  ),
};

export const ruleSchema = z.strictObject({
  provider: z.optional(z.string()),
  model: z.optional(z.string().check(z.describe('A model id, in which * stands for any text.'))),
  ...settings,
});

export const configSchema = z.strictObject({
  $schema: z.optional(z.string()),
  ...settings,
  rules: z.optional(
    z.array(ruleSchema).check(z.describe('The first rule that matches provider and model wins.')),
  ),
  profile: z.optional(z.string()),
  profileThresholds: z.optional(
    z.record(z.string(), z.number()).check(z.describe('Percent of the window, by profile.')),
  ),
  priorities: z.optional(z.enum(['default', 'by-length', 'cipher'])),
  marker: z.optional(
    z
      .union([z.boolean(), z.string().check(z.minLength(1))])
      .check(z.describe('A line where messages were dropped. In your own text, {count} is their number.')),
  ),
  background: z.optional(
    z
      .boolean()
      .check(
        z.describe('True: below level HARD a check returns at once, and the compression runs meanwhile.'),
      ),
  ),
  throttleMs: z.optional(z.number().check(z.minimum(0))),
  timeoutMs: z.optional(z.number().check(z.positive(), z.maximum(2_147_483_647))),
  historySize: z.optional(z.int().check(z.minimum(1))),
  breaker: z.optional(
    z
      .union([
        z.literal(false),
        z.strictObject({
          strikes: z.optional(z.int().check(z.minimum(1))),
          minReduction: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
          coolDownMs: z.optional(z.number().check(z.minimum(0))),
        }),
      ])
      .check(z.describe('After several compressions that free too little, checks are skipped for a while.')),
  ),
  seed: z.optional(z.int()),
});

/** Every key that may appear somewhere in a configuration. */
export const knownKeys = [
  ...Object.keys(configSchema.def.shape),
  ...Object.keys(ruleSchema.def.shape),
  ...['fraction', 'tokens', 'messages', 'allowedTokens', 'window', 'cost', 'any', 'all', 'atLeast', 'room'],
  ...['message', 'conversation', 'offset', 'factor', 'perToolCall', 'withTools'],
  ...['cacheRead', 'cacheWrite', 'strikes', 'minReduction', 'coolDownMs'],
];
