import { fileToolSchema } from '@ctx/core/kit';
import * as z from 'zod';
import { agentNames } from './agents.js';

const placeholder = z
  .string()
  .regex(/\S/, 'must not be blank')
  .optional()
  .describe("text that replaces a cleared result; by default the agent's");
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
      'the tools that read files, each with its own settings if they differ; by default those of the agent',
    ),
  keep: count.default(5).describe('number of the newest successful reads of a file that stay'),
  placeholder,
  large: z
    .strictObject({
      overTokens: z.int().min(1).describe('a file is large if its newest read has more tokens than this'),
      keep: count.describe('number of the newest reads of a large file that stay'),
    })
    .optional()
    .describe('keeps fewer reads of a large file'),
  rangeAware: z.boolean().default(false).describe('counts reads of different ranges of a file separately'),
});

const terminal = z.strictObject({
  tools: texts
    .refine(({ length }) => length > 0, 'must name a tool')
    .optional()
    .describe('the names of the tools that run commands; by default those of the agent'),
  olderThanMinutes: z.number().min(0).default(15).describe('output older than this is out of date'),
  keepNewest: count
    .default(5)
    .describe('number of the newest results of any tool that are never out of date'),
  placeholder,
});

const duplicates = z.strictObject({
  includeReads: z
    .boolean()
    .default(false)
    .describe('clears file reads too; otherwise `reads.keep` of them stay'),
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
  share: share.default(0.3).describe('largest share of the window that a result may take, 0–1'),
  maxTokens: z.int().min(1).optional().describe('most tokens that a result may have'),
  headShare: z
    .number()
    .min(0)
    .max(1)
    .default(0.5)
    .describe('share of the remaining text that is from the start, 0–1'),
  keepJson: z.boolean().default(false).describe('cuts JSON so that it stays valid JSON'),
});

export const optionsSchema = z.strictObject({
  agent: z.enum(agentNames).optional().describe('the agent whose tools are used; by default all of these'),
  root: z
    .string()
    .min(1)
    .optional()
    .describe(
      'absolute path of the project, so that absolute and relative paths of a file count as the same',
    ),
  reads: rule(reads).prefault({}).describe('clears all but the newest reads of a file'),
  terminal: rule(terminal).prefault({}).describe('clears old output of commands'),
  duplicates: rule(duplicates)
    .prefault({})
    .describe('clears results that the same call returned again later'),
  superseded: rule(superseded).prefault(false).describe('clears reads of files that have changed since'),
  giants: rule(giants).prefault({}).describe('cuts the middle out of results that are too large'),
  errorPrefixes: texts
    .default(['Error:', '<tool_use_error>'])
    .describe('a result that starts with one of these is an error, as is one that the tool has flagged'),
  clearAtLeast: z
    .number()
    .min(0)
    .default(0)
    .describe(
      'tokens that must be freed in all; if fewer would be, nothing is cleared, because each clearing breaks the prompt cache once',
    ),
});

export type ToolResultsOptions = z.infer<typeof optionsSchema>;
/** The options as a caller gives them. Missing options have their defaults. */
export type ToolResultsInput = z.input<typeof optionsSchema>;
export type ReadTool = z.infer<typeof readTool>;
export type ReadsOptions = z.infer<typeof reads>;
export type TerminalOptions = z.infer<typeof terminal>;
export type GiantsOptions = z.infer<typeof giants>;
