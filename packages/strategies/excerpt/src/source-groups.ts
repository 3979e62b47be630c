import { type ExcerptSection, intro } from './excerpt-text.js';

/** What an excerpt begins with. */
export interface ExcerptHead {
  /** Its first line. */
  readonly intro: string;
  /** What was done, in a few lines; it is shown whatever else is chosen. */
  readonly trail?: ExcerptSection | undefined;
}

/** Sources divided into several excerpts, which are chosen from together. */
export interface SourceGroups {
  /** For each source, the number of its excerpt. */
  readonly of: ArrayLike<number>;
  readonly heads: readonly ExcerptHead[];
  /** The folder from which on paths in headings are written. @default '' */
  readonly root?: string;
}

/** All sources in one excerpt. */
export function oneGroup(sources: number): SourceGroups {
  return { of: new Uint8Array(sources), heads: [{ intro }] };
}
