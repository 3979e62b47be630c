import type {
  CompressionOutcome,
  CompressionRecord,
  ContextManager,
  Message,
  TranscriptMessage,
} from '@ctx/core';
import type { LawBook } from './laws.js';
import type { Setup } from './setup.js';

/** The state that a manager shows at one moment. */
export interface Seen {
  readonly transcript: readonly TranscriptMessage[];
  readonly records: readonly CompressionRecord[];
  /** Ids of records that are too old to be undone one by one. */
  readonly tooOld: readonly string[];
  readonly pins: readonly string[];
  readonly epoch: number;
  /** The view; undefined if nobody asked for it. */
  readonly view: readonly Message[] | undefined;
}

/** A compression that is still running while other things happen. */
interface Running {
  readonly promise: Promise<CompressionOutcome>;
  readonly abort: AbortController;
}

/** A request that was sent. */
interface Request {
  readonly view: readonly Message[];
  readonly tools: string;
}

/** The request that an assistant message with reasoning answered. */
interface SaidBehind {
  readonly prefix: readonly Message[];
  readonly tools: string;
  readonly epoch: number;
}

/** A manager under test, and everything that is remembered about it. */
export interface Subject {
  readonly book: LawBook;
  readonly setup: Setup;
  manager: ContextManager;
  running: Running[];
  /** What was seen last in the current epoch. */
  last: Seen | undefined;
  /** The last request, until the assistant answers it. */
  asked: Request | undefined;
  /** Every record ever made, by id, because a snapshot does not keep everything of old records. */
  readonly log: Map<string, CompressionRecord>;
  /** The messages that were passed in, each with its JSON at that time. */
  readonly given: Map<Message, string>;
  /** Whether it was restored. A cut message then consists of equal parts instead of the same ones. */
  readonly isRestored: boolean;
  readonly saidBehind: Map<string, SaidBehind>;
  /** The JSON of the tools. `toolSize` is the size with which they were made. */
  tools: string;
  toolSize: number;
  /** Earlier views by their records, to compare with after an undo or rewind. */
  readonly views: Map<string, Request>;
  reports: number;
  /** What the last look at a whole view refused in this step, although the gate had let each edit through. */
  refused: string[];
}

/** @param before the subject from which a restored manager was made */
export function subjectOf(book: LawBook, setup: Setup, manager: ContextManager, before?: Subject): Subject {
  const subject: Subject = {
    book,
    setup,
    manager,
    running: [],
    last: undefined,
    asked: before?.asked,
    saidBehind: new Map(before?.saidBehind),
    log: new Map(before?.log),
    given: before?.given ?? new Map(),
    isRestored: before !== undefined,
    tools: before?.tools ?? '',
    toolSize: before?.toolSize ?? 0,
    views: new Map(),
    reports: before?.reports ?? 0,
    refused: [],
  };
  manager.on('compression-end', ({ record }) => subject.log.set(record.id, record));
  manager.on('edit-reject', ({ strategy, invariant, detail }) => {
    // Each edit may save tokens, and all together none.
    if (strategy === 'core' && invariant !== 'fewer-tokens') subject.refused.push(`${invariant}: ${detail}`);
  });
  return subject;
}

/** Whether looking at the view changes nothing, because the host says when it sends one. */
export function maySee({ setup }: Subject): boolean {
  return setup.watched || setup.tells;
}

/** Looks at a manager, and at its view only if asked to. */
export function look({ manager, log }: Subject, withView: boolean): Seen {
  const { records, base, pins } = manager.snapshot();
  const tooOld = base?.records ?? [];
  const ids = [...tooOld, ...records.map(({ id }) => id)];
  const { epoch } = manager;
  // What was shortened when it arrived is sent as if it had been said so.
  const transcript = manager.transcript.map((entry) =>
    entry.excerpt === undefined ? entry : { ...entry, message: entry.excerpt },
  );
  const inForce = ids.map((id) => log.get(id) as CompressionRecord);
  return { transcript, records: inForce, tooOld, pins, epoch, view: withView ? manager.view() : undefined };
}
