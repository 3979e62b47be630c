import type {
  CompressionOutcome,
  CompressionRecord,
  ContextManager,
  Message,
  TranscriptMessage,
} from '@ctx/core';
import type { Setup } from './setup.js';

/** What a manager shows at one moment. */
export interface Seen {
  readonly transcript: readonly TranscriptMessage[];
  readonly records: readonly CompressionRecord[];
  /** Ids of records that can only be taken back together. */
  readonly grouped: readonly string[];
  readonly pins: readonly string[];
  readonly epoch: number;
  /** Undefined where nobody asked for it. */
  readonly view: readonly Message[] | undefined;
}

/** A compression that runs on while other things happen. */
export interface Running {
  readonly promise: Promise<CompressionOutcome>;
  readonly abort: AbortController;
  isDone: boolean;
}

/** What was sent. */
interface Request {
  readonly view: readonly Message[];
  readonly tools: string;
}

/** What each assistant's message with reasoning was said behind, where it is known. */
interface SaidBehind {
  readonly prefix: readonly Message[];
  readonly tools: string;
  readonly epoch: number;
}

/** A manager under test, and what is remembered of it. */
export interface Subject {
  readonly setup: Setup;
  manager: ContextManager;
  running: Running[];
  /** The newest view of each epoch that is still going on. */
  last: Seen | undefined;
  /** The request that was sent last, until the assistant answers it. */
  asked: Request | undefined;
  /** Every record ever made, by its id: a snapshot does not keep all that old ones said. */
  readonly log: Map<string, CompressionRecord>;
  /** What was passed in, and its JSON at that time. */
  readonly given: Map<Message, string>;
  /** True where it was restored: a message that was shortened is then made of equal parts, not of the same. */
  readonly isRestored: boolean;
  readonly saidBehind: Map<string, SaidBehind>;
  /** The JSON of the tools, and the size they were made with. */
  tools: string;
  toolSize: number;
  /** Views by the records they were made with, to come back to. */
  readonly views: Map<string, { readonly view: readonly Message[] | undefined; readonly tools: string }>;
  /** Steps taken: a compression that ran on meanwhile is judged more mildly. */
  steps: number;
  reports: number;
}

/** @param before the one that a restored manager was made of */
export function subjectOf(setup: Setup, manager: ContextManager, before?: Subject): Subject {
  const subject: Subject = {
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
    steps: 0,
    reports: before?.reports ?? 0,
  };
  manager.on('compression-end', ({ record }) => subject.log.set(record.id, record));
  return subject;
}

/** True where looking at the view changes nothing: the host says when it sends one. */
export function maySee({ setup }: Subject): boolean {
  return setup.watched || setup.tells;
}

/** Looks at a manager; at its view only where the host would. */
export function look({ manager, log }: Subject, withView: boolean): Seen {
  const { records, older = [], groups = [], pins } = manager.snapshot();
  const grouped = groups.flatMap((group) => group.records.flatMap(idsOfRun));
  const ids = [...grouped, ...[...older, ...records].map(({ id }) => id)];
  const { transcript, epoch } = manager;
  const inForce = ids.map((id) => log.get(id) as CompressionRecord);
  return { transcript, records: inForce, grouped, pins, epoch, view: withView ? manager.view() : undefined };
}

/** A snapshot names neighbours in number as `compression-3..9`. */
function idsOfRun(run: string): string[] {
  const [, name = '', first, last] = /^(.*-)(\d+)\.\.(\d+)$/.exec(run) ?? [];
  if (first === undefined) return [run];
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => `${name}${Number(first) + at}`);
}
