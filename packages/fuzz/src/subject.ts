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

/** What each assistant's message with reasoning was said behind, where it is known. */
export interface SaidBehind {
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
  /** The view that was asked for last, until the assistant answers it. */
  asked: readonly Message[] | undefined;
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

export function subjectOf(setup: Setup, manager: ContextManager): Subject {
  return {
    setup,
    manager,
    running: [],
    last: undefined,
    asked: undefined,
    saidBehind: new Map(),
    tools: '',
    toolSize: 0,
    views: new Map(),
    steps: 0,
    reports: 0,
  };
}

/** Looks at a manager; at its view only where the host would. */
export function look(subject: Subject, withView: boolean): Seen {
  const { manager } = subject;
  const { records, pins } = manager.snapshot();
  const { transcript, epoch } = manager;
  return { transcript, records, pins, epoch, view: withView ? manager.view() : undefined };
}
