import type { Edit } from '@ctx/core';
import {
  type DependencyContainer,
  filesOf,
  folderToken,
  isErrorResult,
  outputText,
  type Plan,
  type PlanContext,
  type Steps,
  strategyFactory,
  toolUsesOf,
} from '@ctx/core';
import { fileReadTools, fileToolSchema, isTextOutput } from '@ctx/core/kit';
import * as z from 'zod';
import { languageOf } from './definitions/languages.js';
import { createFolder } from './on-demand.js';
import { isFolded } from './render.js';

type ToolUse = ReturnType<typeof toolUsesOf>[number];

/** The share of a file's tokens that is expected to remain. Measured: 3 to 15 %. */
const foldedShare = 0.15;

const optionsSchema = z.strictObject({
  keepNewest: z.int().min(0).default(2).describe('number of the newest reads that are not folded'),
  minTokens: z.int().min(0).default(200).describe('results with fewer tokens than this are not folded'),
  readTools: z
    .array(fileToolSchema)
    .readonly()
    .optional()
    .describe(
      'the tools that read files, and their arguments that name files; by default those of every known agent',
    ),
});
type FoldReadsOptions = z.infer<typeof optionsSchema>;

/**
 * Folds old file reads to the names of what the files define, through the `fold` port. Folds the oldest first, until it expects to meet
 * the target, and continues if it does not. Does not fold errors, the newest reads, or reads that were folded before.
 */
export const fileFolding = strategyFactory({
  name: 'file-folding',
  emits: ['fold'],
  partial: true,
  options: optionsSchema,
  plan: (context, options): Promise<Plan> => context.inSlices(planOf(context, options)),
});

function* planOf(context: PlanContext, options: FoldReadsOptions): Steps<Plan> {
  const tried = new Set((context.state as { tried?: readonly string[] } | undefined)?.tried);
  const excess = context.currentTokens - context.targetTokens;
  const edits: Edit<'fold'>[] = [];
  let saved = 0;
  const candidates = (yield* candidatesOf(context, options)).filter((edit) => !tried.has(keyOf(edit)));
  for (const { tokens, ...edit } of candidates) {
    if (saved >= excess) break;
    saved += tokens * (1 - foldedShare);
    edits.push(edit);
    tried.add(keyOf(edit));
  }
  if (edits.length === 0) return { edits, reason: 'No old file read is large enough to fold' };
  return { edits, ...(edits.length < candidates.length && { state: { tried: [...tried] } }) };
}

type Candidate = Edit<'fold'> & { readonly tokens: number };

function* candidatesOf(
  context: PlanContext,
  { keepNewest, minTokens, readTools = fileReadTools }: FoldReadsOptions,
): Steps<Candidate[]> {
  const reads: (ToolUse & { readonly paths: readonly string[] })[] = [];
  for (const use of toolUsesOf(context.view)) {
    yield;
    const paths = isErrorResult(use.result) ? [] : filesOf(use.call, readTools);
    if (paths.length > 0) reads.push({ ...use, paths });
  }
  const candidates: Candidate[] = [];
  for (const use of reads.slice(0, Math.max(0, reads.length - keepNewest))) {
    yield;
    const { message, part, paths, result } = use;
    if (message.tokens < minTokens || message.pinned || !isTextOutput(result.output)) continue;
    const text = outputText(result.output);
    if (isFolded(text) || paths.some((path) => languageOf(path, text) === undefined)) continue;
    const tokens = yield* tokensOf(use, text, context);
    if (tokens < minTokens) continue;
    candidates.push({ type: 'fold', message: message.id, part, paths, reason: 'an old file read', tokens });
  }
  return candidates;
}

/** The tokens of one result. Its message may also contain the results of parallel calls. */
function* tokensOf({ message }: ToolUse, text: string, context: PlanContext): Steps<number> {
  return message.message.content.length === 1 ? message.tokens : yield* context.countInSteps(text);
}

function keyOf({ message, part }: Pick<Edit<'fold'>, 'message' | 'part'>): string {
  return `${message} ${part}`;
}

/** Registers the strategy under its name, `file-folding`, and a `fold` port if none is registered. */
export function register(container: DependencyContainer): void {
  fileFolding.register(container);
  if (container.isRegistered(folderToken, true)) return;
  container.register(folderToken, { useValue: createFolder() });
}

/** `fileFolding` under the name of a class: `new FileFoldingStrategy(options)` works as well. @alias */
export const FileFoldingStrategy = fileFolding;
export type FileFoldingStrategy = ReturnType<typeof fileFolding>;
