import type { Steps } from '@ctx/core';
import { pathNormalizer } from '@ctx/core';
import { fileSections, fileToolOf, jsonText, pathArguments, pathsOf } from '@ctx/core/kit';
import type { Clearing, ClearingRules } from './clearing.js';
import type { ReadsOptions, ReadTool } from './options.js';
import { eachInSteps } from './pauses.js';
import type { Use } from './use.js';

export type ReadRules = ReadsOptions &
  ClearingRules & { readonly tools: readonly ReadTool[]; readonly root: string | undefined };

/** A successful read, with the files that it read. */
export interface Read {
  readonly use: Use;
  readonly tool: ReadTool;
  /** The paths as the call gives them, each with the normal form (`key`) that is compared. */
  readonly files: readonly { readonly path: string; readonly key: string }[];
}

export interface Reads {
  readonly reads: readonly Read[];
  /** The number of results of reading tools whose path is not known. They are left alone. */
  readonly unextracted: number;
}

/** The successful reads among the results. Leaves out errors, results that were cleared before, and results whose call is unknown. */
export function* readsOf(uses: readonly Use[], rules: ReadRules): Steps<Reads> {
  const normal = pathNormalizer(rules.root);
  const reads: Read[] = [];
  let unextracted = 0;
  yield* eachInSteps(uses, (use) => {
    const tool = fileToolOf(use.call, rules.tools);
    if (tool === undefined || rules.cleared.has(use.text)) {
      const isRead = rules.tools.some(({ names }) => names.includes(use.result.toolName));
      unextracted += Number(use.call === undefined && isRead);
      return;
    }
    const files = pathsOf(use.call?.input, tool)
      .map((path) => ({ path, key: normal(path) }))
      .filter(({ key }) => key !== '');
    const byKey = new Map(files.map((file) => [file.key, file]));
    if (byKey.size === 0) unextracted += 1;
    else if (!use.isError(tool.errorPrefixes ?? rules.errorPrefixes))
      reads.push({ use, tool, files: [...byKey.values()] });
  });
  return { reads, unextracted };
}

/**
 * Clears all but the newest reads of each file. A result with several files is cleared if all of its files have enough newer reads.
 * Otherwise only the sections of those files are cleared, if the result consists of sections.
 * @returns how many reads of each path were cleared
 */
export function* clearOutdatedReads(
  { reads }: Reads,
  rules: ReadRules,
  clearing: Clearing,
): Steps<Readonly<Record<string, number>>> {
  const outdated = yield* outdatedFiles(reads, rules, clearing);
  const counts: Record<string, number> = {};
  yield* eachInSteps(reads, ({ use, tool, files }) => {
    const old = outdated.get(use);
    if (old === undefined) return;
    const placeholder = tool.placeholder ?? rules.placeholder;
    const text =
      old.length === files.length ? placeholder : withoutSections(use.text, files, old, placeholder);
    if (text === undefined || !clearing.replace(use, text, 'reads', 'the file was read again since')) return;
    for (const key of old) counts[key] = (counts[key] ?? 0) + 1;
  });
  return counts;
}

/** For each result, the files in it that have enough newer reads. */
function* outdatedFiles(
  reads: readonly Read[],
  rules: ReadRules,
  clearing: Clearing,
): Steps<Map<Use, string[]>> {
  const newestFirst = reads.toSorted((a, b) => b.use.time - a.use.time || b.use.order - a.use.order);
  const seen = new Map<string, { count: number; readonly tokens: number }>();
  const outdated = new Map<Use, string[]>();
  yield* eachInSteps(newestFirst, (read) => {
    if (clearing.isCleared(read.use)) return;
    for (const { path, key } of read.files) {
      const counted = rules.rangeAware ? `${key}\n${rangeOf(read, path)}` : key;
      // Approximate: a share of the result.
      const newer = seen.get(counted) ?? { count: 0, tokens: read.use.message.tokens / read.files.length };
      seen.set(counted, newer);
      newer.count += 1;
      const { large } = rules;
      const keep = read.tool.keep ?? rules.keep;
      const isLarge = large !== undefined && newer.tokens > large.overTokens;
      if (newer.count <= (isLarge ? Math.min(keep, large.keep) : keep)) continue;
      const files = outdated.get(read.use);
      if (files === undefined) outdated.set(read.use, [key]);
      else files.push(key);
    }
  });
  return outdated;
}

/** The arguments of a call for a file, apart from its path: lines, offsets, limits. */
function rangeOf({ use, files }: Read, path: string): string {
  const input = use.call?.input as Readonly<Record<string, unknown>>;
  const own = Object.values(input)
    .flat()
    .find((one) => typeof one === 'object' && one !== null && (one as { path?: unknown }).path === path);
  if (own !== undefined) return jsonText(own);
  if (files.length > 1) return '';
  return jsonText(
    Object.fromEntries(Object.entries(input).filter(([name]) => !pathArguments.includes(name))),
  );
}

function withoutSections(
  text: string,
  files: Read['files'],
  outdated: readonly string[],
  placeholder: string,
): string | undefined {
  const sections = fileSections(
    text,
    files.map(({ path }) => path),
  );
  if (sections === undefined) return undefined;
  let rest = text;
  for (const [index, { start, end }] of [...sections.entries()].reverse()) {
    const key = files[index]?.key as string;
    if (!outdated.includes(key) || rest.slice(start, end).trim() === placeholder) continue;
    rest = rest.slice(0, start) + placeholder + rest.slice(end);
  }
  return rest;
}
