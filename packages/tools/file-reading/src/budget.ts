import type { contextBudget } from '@ctx/core';
import { smallestWithin } from './size-check.js';

export type ContextBudget = ReturnType<typeof contextBudget>;

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

export interface FileReadingRecommendation {
  readonly strategy: 'allow_all' | 'allow_partial' | 'use_line_range' | 'reject_all';
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
