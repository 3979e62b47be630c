import { type FileTool, fileToolSchema } from '@ctx/core';
import { z } from 'zod';
import { type AgentName, agentNames } from './agents.js';

/** A tool that reads files, with settings of its own where they differ from those of the others. */
export interface ReadTool extends FileTool {
  readonly keep?: number | undefined;
  readonly placeholder?: string | undefined;
  readonly errorPrefixes?: readonly string[] | undefined;
}

export interface ReadsOptions {
  /** The tools that read files. @default those of the agent */
  readonly tools?: readonly ReadTool[] | undefined;
  /** So many of the newest successful reads of a file stay. @default 5 */
  readonly keep: number;
  readonly placeholder?: string | undefined;
  /** Of a file whose newest read is over so many tokens, only so many stay. */
  readonly large?: { readonly overTokens: number; readonly keep: number } | undefined;
  /** Counts reads of different ranges of a file apart. @default false */
  readonly rangeAware: boolean;
}

export interface TerminalOptions {
  /** The names of the tools that run commands. @default those of the agent */
  readonly tools?: readonly string[] | undefined;
  /** Output is out of date when it is older than this. @default 15 */
  readonly olderThanMinutes: number;
  /** So many of the newest results of any tool are never out of date. @default 5 */
  readonly keepNewest: number;
  readonly placeholder?: string | undefined;
}

export interface DuplicatesOptions {
  /** Counts file reads too, of which `reads.keep` would stay otherwise. @default false */
  readonly includeReads: boolean;
  readonly placeholder?: string | undefined;
}

export interface SupersededOptions {
  /** The tools that change files. @default those of the agent */
  readonly tools?: readonly FileTool[] | undefined;
  readonly placeholder?: string | undefined;
}

export interface GiantsOptions {
  /** A result may have this share of the window, 0–1. @default 0.3 */
  readonly share: number;
  /** And no more than so many tokens. */
  readonly maxTokens?: number | undefined;
  /** How much of what stays is from its start, 0–1. @default 0.5 */
  readonly headShare: number;
  /** What was JSON stays JSON. @default false */
  readonly keepJson: boolean;
}

/** Each rule can be switched off with `false`. */
export interface ToolResultsOptions {
  /** Whose tools they are. @default those of every agent that is known */
  readonly agent?: AgentName | undefined;
  /** Absolute path of the project, so that an absolute and a relative path of a file are seen to be the same. */
  readonly root?: string | undefined;
  readonly reads: ReadsOptions | false;
  readonly terminal: TerminalOptions | false;
  readonly duplicates: DuplicatesOptions | false;
  /** @default false */
  readonly superseded: SupersededOptions | false;
  readonly giants: GiantsOptions | false;
  /** A result that starts so is an error, besides those that the tool has flagged. @default `Error:`, `<tool_use_error>` */
  readonly errorPrefixes: readonly string[];
  /** Does nothing unless it frees so many tokens in all: for a prompt cache, rarely and much. @default 0 */
  readonly clearAtLeast: number;
}

/** What a caller gives: what is left out has its default. */
export interface ToolResultsInput
  extends Partial<Pick<ToolResultsOptions, 'agent' | 'root' | 'errorPrefixes' | 'clearAtLeast'>> {
  readonly reads?: Partial<ReadsOptions> | false;
  readonly terminal?: Partial<TerminalOptions> | false;
  readonly duplicates?: Partial<DuplicatesOptions> | false;
  readonly superseded?: Partial<SupersededOptions> | false;
  readonly giants?: Partial<GiantsOptions> | false;
}

const placeholder = z.string().regex(/\S/, 'must not be blank').optional();
const names = z.array(z.string().min(1)).min(1);
const share = z.number().gt(0).max(1);

export const optionsSchema = z.strictObject({
  agent: z.enum(agentNames).optional(),
  root: z.string().min(1).optional(),
  reads: z
    .union([
      z.literal(false),
      z.strictObject({
        tools: z
          .array(
            fileToolSchema.extend({
              keep: z.int().min(0).optional(),
              placeholder,
              errorPrefixes: z.array(z.string().min(1)).optional(),
            }),
          )
          .optional(),
        keep: z.int().min(0).default(5),
        placeholder,
        large: z.strictObject({ overTokens: z.int().min(1), keep: z.int().min(0) }).optional(),
        rangeAware: z.boolean().default(false),
      }),
    ])
    .prefault({}),
  terminal: z
    .union([
      z.literal(false),
      z.strictObject({
        tools: names.optional(),
        olderThanMinutes: z.number().min(0).default(15),
        keepNewest: z.int().min(0).default(5),
        placeholder,
      }),
    ])
    .prefault({}),
  duplicates: z
    .union([z.literal(false), z.strictObject({ includeReads: z.boolean().default(false), placeholder })])
    .prefault({}),
  superseded: z
    .union([z.literal(false), z.strictObject({ tools: z.array(fileToolSchema).optional(), placeholder })])
    .prefault(false),
  giants: z
    .union([
      z.literal(false),
      z.strictObject({
        share: share.default(0.3),
        maxTokens: z.int().min(1).optional(),
        headShare: z.number().min(0).max(1).default(0.5),
        keepJson: z.boolean().default(false),
      }),
    ])
    .prefault({}),
  errorPrefixes: z.array(z.string().min(1)).default(['Error:', '<tool_use_error>']),
  clearAtLeast: z.number().min(0).default(0),
});
