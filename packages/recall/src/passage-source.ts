import type { ArchivePassage, ArchiveSearchOptions } from '@ctx/core';

/** Finds and reads what was said in one conversation, by query or by handle. A manager with an archive is one. */
export interface PassageSource {
  /** Finds the passages outside the view that have most in common with a query, the best first. */
  find(
    query: string,
    options?: Omit<ArchiveSearchOptions, 'conversation'>,
  ): Promise<readonly ArchivePassage[]>;
  /** Returns what was said under a handle such as `#m41` or `#m41:120-180`, word for word. */
  read(
    ref: string,
    options?: { readonly maxTokens?: number | undefined },
  ): Promise<readonly ArchivePassage[]>;
}
