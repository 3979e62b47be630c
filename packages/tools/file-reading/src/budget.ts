import { contextBudget } from '@ctx/core';
import type { FileReadingLimits } from './limits.js';
import {
  type BatchContext,
  checkBatch,
  checkFileSize,
  type Refusal,
  type SizedFile,
  smallestWithin,
} from './size-check.js';

type ContextBudget = ReturnType<typeof contextBudget>;

/** Percent of the available context at which condensing is near. */
const warningPercent = 75;

/** What may be read, as shares of the remaining context. */
const allowAllBelow = 0.3;
const allowPartialBelow = 0.6;
const lineRangeShare = 0.5;

type AddTokensCheck =
  | {
      readonly allowed: true;
      /** A warning that condensing is near. */
      readonly warning?: string;
    }
  | { readonly allowed: false; readonly reason: string };

/** Says whether this number of tokens may be added. A value that is not a number is too many, and a value below 0 counts as 0. */
export function canAddTokens(budget: ContextBudget, tokens: number): AddTokensCheck {
  const { availableTokens, remainingTokens, usedTokens, usagePercent } = budget;
  const needed = sane(tokens);
  if (!(needed <= remainingTokens)) {
    return {
      allowed: false,
      reason: `Not enough context space. Need ${tokens} tokens, but only ${remainingTokens} remaining (${percent(usagePercent)}% used)`,
    };
  }
  const after = (100 * (usedTokens + needed)) / availableTokens;
  if (usagePercent <= warningPercent && after > warningPercent) {
    return {
      allowed: true,
      warning: `Warning: Adding ${needed} tokens will increase usage from ${percent(usagePercent)}% to ${percent(after)}%. Context condensing may be triggered soon.`,
    };
  }
  return { allowed: true };
}

interface FileEstimate {
  readonly path: string;
  readonly estimatedTokens: number;
}

type FileReadingStrategy = 'allow_all' | 'allow_partial' | 'use_line_range' | 'reject_all';

export interface FileReadingRecommendation {
  readonly strategy: FileReadingStrategy;
  /** Paths in the given order; all of them with `allow_all` and `allow_partial`, none with `reject_all`. */
  readonly allowedFiles: readonly string[];
  /** What to tell the model. */
  readonly message: string;
}

/**
 * Decides which of several files to read, by their share of the remaining context: all below 30 %; all, with a warning, below 60 %; below
 * 100 % the smallest that fit into half of the rest; otherwise none. Reading nothing is always allowed.
 */
export function recommendFileReadingStrategy(
  budget: ContextBudget,
  files: readonly FileEstimate[],
): FileReadingRecommendation {
  const { remainingTokens, usagePercent } = budget;
  const count = files.length;
  const total = files.reduce((sum, file) => sum + sane(file.estimatedTokens), 0);
  const share = percent(total === 0 ? 0 : (100 * total) / remainingTokens);
  const all = files.map((file) => file.path);
  if (total === 0 || total < allowAllBelow * remainingTokens) {
    return {
      strategy: 'allow_all',
      allowedFiles: all,
      message: `All ${count} files can be read (${total} tokens, ${share}% of remaining context)`,
    };
  }
  if (total < allowPartialBelow * remainingTokens) {
    return {
      strategy: 'allow_partial',
      allowedFiles: all,
      message: `Warning: Reading all ${count} files will use ${total} tokens (${share}% of remaining context). Consider reading fewer files.`,
    };
  }
  if (total < remainingTokens) {
    const half = Math.floor(lineRangeShare * remainingTokens);
    const allowed = smallestWithin(files, half, (file) => sane(file.estimatedTokens));
    const suggestions = [
      ...(allowed.length === 0 ? [] : [`Read only ${allowed.length} files at a time`]),
      'Use line_range to read specific sections',
      'Use search_files to find specific content',
    ];
    return {
      strategy: 'use_line_range',
      allowedFiles: allowed.map((file) => file.path),
      message: [
        `Cannot read all ${count} files (${total} tokens exceeds safe limit). Suggestions:`,
        ...suggestions.map((suggestion, index) => `${index + 1}. ${suggestion}`),
      ].join('\n'),
    };
  }
  return {
    strategy: 'reject_all',
    allowedFiles: [],
    message: `Cannot read files: ${total} tokens exceeds available context (${remainingTokens} tokens remaining). Current usage: ${percent(usagePercent)}%. Please:\n1. Condense context first\n2. Use search_files instead\n3. Read smaller sections with line_range`,
  };
}

/** A number of tokens that is safe to compare. */
function sane(tokens: number): number {
  return Number.isNaN(tokens) ? Number.POSITIVE_INFINITY : Math.max(0, tokens);
}

function percent(value: number): string {
  return value.toFixed(1);
}

/** A file about which a decision is being made. */
export type Candidate = SizedFile & { readonly notice?: string | undefined };

/** Is told what becomes of files. */
export interface Verdicts<File> {
  refuse(file: File, refusal: Refusal): void;
  /** Takes what is to be said about all files that are read. */
  notice(text: string): void;
}

/** Checks each file against its own limits, then all that pass against the common limits. Returns those that pass, each with its notice. */
export function withinLimits<File extends Candidate>(
  files: readonly File[],
  limits: FileReadingLimits,
  { refuse, notice, ...context }: Verdicts<NoInfer<File>> & BatchContext,
): File[] {
  const small = files.flatMap((file) => {
    const check = checkFileSize(file, limits);
    if (check.status === 'approved') return [{ ...file, notice: check.notice }];
    refuse(file, check);
    return [];
  });
  const batch = checkBatch(small, limits, context);
  if (batch.status === 'blocked') {
    for (const file of small) refuse(file, batch);
    return [];
  }
  if (batch.notice !== undefined) notice(batch.notice);
  return small;
}

/** Picks the files to read, given the remaining context. */
export function recommended<File extends Candidate>(
  files: readonly File[],
  budget: ContextBudget,
  { refuse, notice }: Verdicts<NoInfer<File>>,
): { readonly files: File[]; readonly recommendation: FileReadingRecommendation } {
  const recommendation = recommendFileReadingStrategy(budget, files);
  const { strategy, allowedFiles, message } = recommendation;
  const allowed = new Set(allowedFiles);
  const isAllowed = ({ path }: File) => allowed.has(path);
  for (const file of files) if (!isAllowed(file)) refuse(file, { reason: 'context', error: message });
  if (strategy === 'allow_partial') notice(message);
  return { files: files.filter(isAllowed), recommendation };
}

/** Adds the files that were read to the context in their order, each if there is still room for it. */
export function withRoom<File extends Candidate>(
  files: readonly File[],
  budget: ContextBudget,
  { refuse, notice }: Verdicts<NoInfer<File>>,
): File[] {
  let { usedTokens } = budget;
  const fitting = files.filter((file) => {
    const check = canAddTokens(contextBudget({ ...budget, usedTokens }), file.estimatedTokens);
    if (check.allowed) usedTokens += file.estimatedTokens;
    else refuse(file, { reason: 'context', error: check.reason });
    return check.allowed;
  });
  const all = canAddTokens(budget, usedTokens - budget.usedTokens);
  if (all.allowed && all.warning !== undefined) notice(all.warning);
  return fitting;
}
