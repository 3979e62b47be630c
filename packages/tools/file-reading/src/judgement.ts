import { contextBudget } from '@ctx/core';
import { type BatchContext, checkBatch, checkFileSize, type SizedFile } from './check-file.js';
import {
  canAddTokens,
  type FileReadingRecommendation,
  recommendFileReadingStrategy,
} from './context-budget.js';
import type { FileReadingLimits } from './limits.js';
import type { Refusal } from './read-result.js';

type ContextBudget = ReturnType<typeof contextBudget>;

/** A file about which a decision is being made. */
export type Candidate = SizedFile & { readonly notice?: string | undefined };

export interface Judgement<File> {
  /** The approved files, each with its notice. */
  readonly approved: readonly File[];
  readonly refused: readonly (readonly [File, Refusal])[];
  /** Notices about all approved files. */
  readonly notices: readonly string[];
}

/** Checks each file against its own limits, then all that pass against the common limits. */
export function judgeSizes<File extends Candidate>(
  files: readonly File[],
  limits: FileReadingLimits,
  context: BatchContext,
): Judgement<File> {
  const approved: File[] = [];
  const refused: [File, Refusal][] = [];
  for (const file of files) {
    const check = checkFileSize(file, limits);
    if (check.status === 'blocked') refused.push([file, check]);
    else approved.push({ ...file, notice: check.notice });
  }
  const batch = checkBatch(approved, limits, context);
  if (batch.status === 'blocked') {
    return {
      approved: [],
      refused: [...refused, ...approved.map((file) => [file, batch] as const)],
      notices: [],
    };
  }
  return { approved, refused, notices: batch.notice === undefined ? [] : [batch.notice] };
}

/** Picks the files to read, given the remaining context. */
export function judgeRemaining<File extends Candidate>(
  files: readonly File[],
  budget: ContextBudget,
): Judgement<File> & { readonly recommendation: FileReadingRecommendation } {
  const recommendation = recommendFileReadingStrategy(budget, files);
  const { strategy, allowedFiles, message } = recommendation;
  const allowed = new Set(allowedFiles);
  return {
    recommendation,
    approved: files.filter((file) => allowed.has(file.path)),
    refused: files
      .filter((file) => !allowed.has(file.path))
      .map((file) => [file, { reason: 'context', error: message }] as const),
    notices: strategy === 'allow_partial' ? [message] : [],
  };
}

/** Adds the files that were read to the context in their order, each if there is still room for it. */
export function judgeRoom<File extends Candidate>(
  files: readonly File[],
  budget: ContextBudget,
): Judgement<File> {
  const approved: File[] = [];
  const refused: [File, Refusal][] = [];
  const notices: string[] = [];
  let { usedTokens } = budget;
  for (const file of files) {
    const check = canAddTokens(contextBudget({ ...budget, usedTokens }), file.estimatedTokens);
    if (!check.allowed) {
      refused.push([file, { reason: 'context', error: check.reason }]);
      continue;
    }
    approved.push(file);
    usedTokens += file.estimatedTokens;
  }
  const all = canAddTokens(budget, usedTokens - budget.usedTokens);
  if (all.allowed && all.warning !== undefined) notices.push(all.warning);
  return { approved, refused, notices };
}
