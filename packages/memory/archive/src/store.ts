import type { ArchiveEntry } from '@ctx/core';

/** Neighbouring lines of one part of a message: what is kept, and what is found. The passages of a part are all of its text. */
export interface Passage {
  readonly message: number;
  readonly part: number;
  /** Its position in the part, from 0. */
  readonly passage: number;
  /** Lines of the message, from 1. Passages cut from one long line have the same. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly kind: ArchiveEntry['kind'];
  readonly heading: string;
  readonly path: string | undefined;
  /** With the line break at its end, if it has one. */
  readonly text: string;
  readonly tokens: number;
  readonly time: number;
}

/** The two streams of terms in which a text is found: names as they stand, and words. */
export interface Terms {
  /** Identifiers, paths, numbers and addresses, each as a whole. In lower case, once for each time they occur in the text. */
  readonly names: string[];
  /** Words, and the words that names consist of, without their endings. */
  readonly words: string[];
}

/** A passage and the terms by which it is found. */
export interface IndexedPassage {
  readonly passage: Passage;
  readonly terms: Terms;
}

/** A part of a message, ready to be kept. */
export interface IndexedPart {
  readonly message: number;
  readonly part: number;
  /** The same for the same texts: tells a part that is put again from another one. */
  readonly digest: number;
  readonly passages: readonly IndexedPassage[];
}

/** A term of a query. */
export interface QueryTerm {
  readonly text: string;
  readonly stream: keyof Terms;
}

export interface PassageFilter {
  readonly kinds?: readonly ArchiveEntry['kind'][] | undefined;
  /** In the form of `plain`. */
  readonly path?: string | undefined;
  readonly since?: number | undefined;
}

/** A passage that has terms of a query. The larger its score, the more of them, and the rarer. */
export interface Hit {
  readonly passage: Passage;
  readonly score: number;
}

/** A term of a query that some passages have. */
export interface Weighted {
  readonly term: QueryTerm;
  /** How much it says, by how few passages have it. */
  readonly idf: number;
}

/** What matches a query. */
export interface Matches {
  /** The best first. */
  readonly hits: readonly Hit[];
  /** The terms of the query by which they were found. */
  readonly terms: readonly Weighted[];
}

/** What an archive keeps its passages in. It knows nothing of handles, tokens and secrets. */
export interface PassageStore {
  /**
   * Keeps parts, all or none. Leaves out those that it has.
   * @throws CtxError `archive-conflict` if a part is kept with another text
   */
  put(conversation: string, parts: readonly IndexedPart[], now: number): Promise<void>;
  /** The passages of a message in order; none if there is no such message. */
  message(conversation: string, message: number): Promise<readonly Passage[]>;
  /** The passages that match best, at most so many. */
  search(
    conversation: string,
    terms: readonly QueryTerm[],
    filter: PassageFilter,
    most: number,
  ): Promise<Matches>;
  /** Forgets the messages from a number to another, which may be Infinity. */
  forget(conversation: string, from: number, to: number): Promise<void>;
  /** Forgets the conversations to which nothing was added since. */
  expire(before: number): Promise<void>;
  close(): Promise<void>;
}
