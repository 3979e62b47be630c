import { z } from 'zod';
import type { Trigger } from '../budget/trigger.js';

const share = z.number().gt(0).max(1);
const tokens = z.int().positive();
const price = z.number().min(0).max(1_000_000);

const triggerSchema: z.ZodType<Trigger, Trigger> = z.lazy(() =>
  z
    .strictObject({
      fraction: share.optional(),
      tokens: tokens.optional(),
      messages: z.int().positive().optional(),
      allowedTokens: z.boolean().optional(),
      cost: z.boolean().optional(),
      any: z.array(triggerSchema).min(1).optional(),
      all: z.array(triggerSchema).min(1).optional(),
    })
    .refine((trigger) => Object.keys(trigger).length > 0, 'needs at least one condition'),
);

/**
 * Settings that are allowed both in a rule and at the top level of a configuration. All are optional; see `defaults`.
 */
const settings = {
  enabled: z.boolean().describe('False: compression runs only by hand, with compress().').optional(),
  contextWindow: tokens.describe("The model's hard input limit, in tokens.").optional(),
  reserve: z.int().min(0).describe('Tokens kept free for the answer.').optional(),
  trigger: triggerSchema.optional(),
  target: z
    .strictObject({ fraction: share.optional(), tokens: tokens.optional(), atLeast: tokens.optional() })
    .refine(
      ({ fraction, tokens: given }) => (fraction === undefined) !== (given === undefined),
      'takes either fraction or tokens',
    )
    .refine(
      ({ fraction, atLeast }) => atLeast === undefined || fraction !== undefined,
      'atLeast goes with fraction',
    )
    .optional(),
  warn: share.describe('Share of the window where level WARNING starts.').optional(),
  minMessagesToKeep: z.int().min(1).optional(),
  pipeline: z.array(z.string().min(1)).min(1).describe('Names of strategies, in order.').optional(),
  beforeSend: z
    .union([
      z.literal(false),
      z.strictObject({ pipeline: z.array(z.string().min(1)).min(1), atLeast: z.int().min(0).optional() }),
    ])
    .describe('Strategies that run before every send, even below the trigger, if they free enough.')
    .optional(),
  options: z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .describe('Options by strategy name.')
    .optional(),
  encoding: z.enum(['o200k_base', 'cl100k_base']).optional(),
  overhead: z.strictObject({ message: z.int().min(0), conversation: z.int().min(0) }).optional(),
  prior: z
    .strictObject({ offset: z.number(), factor: z.number().positive(), perToolCall: z.number() })
    .describe("The provider's expected figures, until usage is reported.")
    .optional(),
  prices: z
    .strictObject({ cacheRead: price.optional(), cacheWrite: price.optional() })
    .describe(
      'Price of a token read from the prompt cache, or written into it, relative to an uncached input token.',
    )
    .optional(),
  leadingUser: z
    .boolean()
    .describe("The first message after the system prompt must be the user's.")
    .optional(),
  reasoning: z
    .enum(['bound', 'kept', 'dropped'])
    .describe(
      "Which of the assistant's reasoning is sent back: only that bound to an unchanged prefix, all, or none.",
    )
    .optional(),
};

const ruleSchema = z.strictObject({
  provider: z.string().optional(),
  model: z.string().describe('A model id, in which * stands for any text.').optional(),
  ...settings,
});

export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  ...settings,
  rules: z.array(ruleSchema).describe('The first rule that matches provider and model wins.').optional(),
  profile: z.string().optional(),
  profileThresholds: z
    .record(z.string(), z.number())
    .describe('Percent of the window, by profile.')
    .optional(),
  priorities: z.enum(['default', 'by-length', 'cipher']).optional(),
  marker: z
    .union([z.boolean(), z.string().min(1)])
    .describe('A line where messages were dropped. In your own text, {count} is their number.')
    .optional(),
  throttleMs: z.number().min(0).optional(),
  timeoutMs: z.number().positive().max(2_147_483_647).optional(),
  historySize: z.int().min(1).optional(),
  breaker: z
    .union([
      z.literal(false),
      z.strictObject({
        strikes: z.int().min(1).default(3),
        minReduction: z.number().min(0).max(1).default(0.05),
        coolDownMs: z.number().min(0).default(60_000),
      }),
    ])
    .describe('After several compressions that free too little, checks are skipped for a while.')
    .optional(),
  seed: z.int().optional(),
});

/** A configuration file. Every key is optional. */
export type Config = z.input<typeof configSchema>;
/** Settings for all models that match. */
export type Rule = z.input<typeof ruleSchema>;

/** The JSON schema of a configuration file, for editors. */
export function configJsonSchema(): object {
  return z.toJSONSchema(configSchema, { io: 'input', target: 'draft-7' });
}

/** Every key that may appear somewhere in a configuration. */
export const knownKeys = [
  ...Object.keys(configSchema.shape),
  ...Object.keys(ruleSchema.shape),
  ...['fraction', 'tokens', 'messages', 'allowedTokens', 'cost', 'any', 'all', 'atLeast'],
  ...['message', 'conversation', 'offset', 'factor', 'perToolCall'],
  ...['cacheRead', 'cacheWrite', 'strikes', 'minReduction', 'coolDownMs'],
];
