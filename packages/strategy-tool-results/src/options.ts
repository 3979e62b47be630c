import { fileToolSchema } from '@ctx/core';
import { z } from 'zod';
import { agentNames } from './agents.js';

const placeholder = z
  .string()
  .regex(/\S/, 'must not be blank')
  .optional()
  .describe("what stands where a result was; by default the agent's");
const texts = z.array(z.string().min(1)).readonly();
const share = z.number().gt(0).max(1);
const count = z.int().min(0);
/** Each rule can be switched off with `false`. */
const rule = <Options extends z.ZodObject>(options: Options) => z.union([z.literal(false), options]);

const readTool = fileToolSchema.extend({
  keep: count.optional(),
  placeholder,
  errorPrefixes: texts.optional(),
});

const reads = z.strictObject({
  tools: z
    .array(readTool)
    .readonly()
    .optional()
    .describe(
      'the tools that read files, with settings of their own where they differ; by default those of the agent',
    ),
  keep: count.default(5).describe('number of the newest successful reads of a file that stay'),
  placeholder,
  large: z
    .strictObject({
      overTokens: z.int().min(1).describe('tokens of the newest read from which a file is large'),
      keep: count.describe('number of its reads that stay'),
    })
    .optional()
    .describe('keeps fewer reads of a large file'),
  rangeAware: z.boolean().default(false).describe('counts reads of different ranges of a file apart'),
});

const terminal = z.strictObject({
  tools: texts
    .refine(({ length }) => length > 0, 'must name a tool')
    .optional()
    .describe('the names of the tools that run commands; by default those of the agent'),
  olderThanMinutes: z.number().min(0).default(15).describe('output that is older is out of date'),
  keepNewest: count
    .default(5)
    .describe('number of the newest results of any tool that are never out of date'),
  placeholder,
});

const duplicates = z.strictObject({
  includeReads: z
    .boolean()
    .default(false)
    .describe('counts file reads too, of which `reads.keep` would stay otherwise'),
  placeholder,
});

const superseded = z.strictObject({
  tools: z
    .array(fileToolSchema)
    .readonly()
    .optional()
    .describe('the tools that change files; by default those of the agent'),
  placeholder,
});

const giants = z.strictObject({
  share: share.default(0.3).describe('share of the window that a result may have, 0–1'),
  maxTokens: z.int().min(1).optional().describe('tokens that a result may have at most'),
  headShare: z.number().min(0).max(1).default(0.5).describe('how much of what stays is from its start, 0–1'),
  keepJson: z.boolean().default(false).describe('what was JSON stays JSON'),
});

export const optionsSchema = z.strictObject({
  agent: z.enum(agentNames).optional().describe('whose tools they are, by default those of all of these'),
  root: z
    .string()
    .min(1)
    .optional()
    .describe(
      'absolute path of the project, so that an absolute and a relative path of a file are seen to be the same',
    ),
  reads: rule(reads).prefault({}).describe('clears all but the newest reads of a file'),
  terminal: rule(terminal).prefault({}).describe('clears old output of commands'),
  duplicates: rule(duplicates).prefault({}).describe('clears results that came again'),
  superseded: rule(superseded).prefault(false).describe('clears reads of files that were changed since'),
  giants: rule(giants).prefault({}).describe('cuts the middle out of results that are too large'),
  errorPrefixes: texts
    .default(['Error:', '<tool_use_error>'])
    .describe('a result that starts so is an error, besides those that the tool has flagged'),
  clearAtLeast: z
    .number()
    .min(0)
    .default(0)
    .describe(
      'tokens that it must free in all; less, and it does nothing. Each clearing breaks the prompt cache once',
    ),
});

export type ToolResultsOptions = z.infer<typeof optionsSchema>;
/** What a caller gives: what is left out has its default. */
export type ToolResultsInput = z.input<typeof optionsSchema>;
export type ReadTool = z.infer<typeof readTool>;
export type ReadsOptions = z.infer<typeof reads>;
export type TerminalOptions = z.infer<typeof terminal>;
export type DuplicatesOptions = z.infer<typeof duplicates>;
export type SupersededOptions = z.infer<typeof superseded>;
export type GiantsOptions = z.infer<typeof giants>;
