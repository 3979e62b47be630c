import { inspect, isDeepStrictEqual } from 'node:util';
import { ContextManager, CtxError, errorCodes, type ManagerOptions } from '@ctx/core';
import { deepFreeze, VirtualTime } from '@ctx/testing';
import { checkCompression, standing } from './compression-laws.js';
import { counters, tokensOf } from './counter.js';
import type { ExpectedView } from './expected-view.js';
import type { History } from './history.js';
import { type Failure, LawBook, LawBroken } from './laws.js';
import { checkMemory, checkTimeTravel, rememberPrefix, rememberView } from './memory-laws.js';
import type { Operation } from './operations.js';
import { perform, type Result, type Step, settleAll, toolsOf } from './perform.js';
import { checkSnapshot, reactionProblem, stateOf, stateProblem } from './restore-laws.js';
import { letRun, settle, Waiting } from './settle.js';
import { managerOptions } from './setup.js';
import { look, maySee, type Seen, type Subject, subjectOf } from './subject.js';
import { checkView } from './view-laws.js';

/** Compares the manager's count for the next request with an independent count. */
function checkCount({ book, setup, tools, manager }: Subject, { view }: Seen): void {
  const { counter, config } = setup;
  if (counter === 'faulty' || view === undefined) return;
  const { message: each, conversation } = config.overhead;
  const defined = tools === '' ? 0 : counters[counter].count(tools);
  const messages = view.reduce((sum, message) => sum + tokensOf(message, counters[counter], each), 0);
  const due = defined + messages + conversation;
  const { countedTokens } = manager.stats();
  const problem = `${countedTokens} tokens are said to be there, and there are ${due}`;
  book.holds('recount', countedTokens === due, problem);
}

export interface RunOptions {
  readonly book?: LawBook;
  /** Plants a fault, to test that it is found. */
  readonly plant?: (manager: ContextManager) => ContextManager;
}

/** Runs a history and checks every law after every step. Returns the failure; undefined if all laws hold. */
export async function failureOf(
  { setup, operations }: History,
  { book = new LawBook(), plant = (manager) => manager }: RunOptions = {},
): Promise<Failure | undefined> {
  const waits = { gate: new Waiting(), pauses: new Waiting(), time: new VirtualTime() };
  let clock = 1_000_000;
  let at = 0;
  const surroundings = { ...waits, now: () => clock };
  const step = (): Step => ({ ...surroundings, tag: at, settle: (promise) => settle(promise, waits, book) });
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown) => unhandled.push(reason);
  const checkHandled = () =>
    book.check('no-unhandled-rejection', unhandled.length === 0 ? undefined : inspect(unhandled[0]));
  process.on('unhandledRejection', onUnhandled);
  try {
    const options = managerOptions(setup, surroundings);
    const first = subjectOf(book, setup, plant(new ContextManager(options)));
    if (setup.tells) first.asked = { view: first.manager.request(), tools: '' };
    let subjects: Subject[] = [first];
    for (; at < operations.length; at += 1) {
      const operation = operations[at] as Operation;
      if (operation.do === 'wait') clock += operation.ms;
      if (operation.do === 'release') waits.gate.release();
      const results: Result[] = [];
      // Two managers with the same history take each step in turn. A held compression would see the steps of the other one.
      const taken = subjects.length > 1 && 'held' in operation ? { ...operation, held: false } : operation;
      for (const subject of subjects) results.push(await take(subject, taken, step()));
      if (operation.do === 'release' || operation.do === 'abort') await letRun();
      await waits.pauses.pass(passedAfter(at));
      if (results.length > 1) book.check('restore-same-reactions', reactionProblem(subjects, results));
      if (operation.do === 'restore' && subjects[0]?.running.length === 0) {
        const restored = restoredFrom(subjects[0], managerOptions(setup, surroundings), plant);
        const both = operation.beside && setup.tells && setup.counter !== 'faulty';
        subjects = both ? [subjects[0], restored] : [restored];
      }
      checkHandled();
    }
    for (const subject of subjects) await end(subject, step());
    await letRun();
    checkHandled();
    return undefined;
  } catch (error) {
    if (error instanceof LawBroken) return { law: error.law, detail: error.detail, at };
    return { law: 'typed-errors', detail: inspect(error), at };
  } finally {
    process.off('unhandledRejection', onUnhandled);
  }
}

function restoredFrom(
  subject: Subject,
  options: ManagerOptions,
  plant: (manager: ContextManager) => ContextManager,
): Subject {
  const { book, setup, manager, toolSize } = subject;
  const snapshot = deepFreeze(checkSnapshot(book, manager));
  const again = ContextManager.restore(snapshot, { ...options, tools: toolsOf(toolSize) });
  const restored = subjectOf(book, setup, plant(again), subject);
  // A counter that has failed once is not trusted any more, but a new one is.
  if (setup.counter !== 'faulty') book.check('restore-same-state', stateProblem(subject, restored));
  return restored;
}

/** How many pauses of held compressions end after a step: some here, none there, so that steps come at every place. */
function passedAfter(at: number): number {
  return (at * 7) % 11;
}

async function take(subject: Subject, operation: Operation, step: Step): Promise<Result> {
  const { book, setup, manager, running } = subject;
  const isQuiet = running.length === 0;
  const compresses = ['check', 'compress', 'recover'].includes(operation.do);
  const before = isQuiet && compresses ? standing(subject, look(subject, maySee(subject))) : undefined;
  const queries = operation.do === 'simulate' && isQuiet && setup.counter !== 'faulty';
  const state = queries ? stateOf(subject) : undefined;
  const { length } = manager.transcript;
  const undoable = operation.do === 'undo' || operation.do === 'rewind' ? look(subject, false) : undefined;
  subject.refused = [];
  const result = await perform(subject, operation, step);
  const { error, outcome } = result;
  if (error instanceof LawBroken) throw error;
  const ended = operation.do === 'settle' ? ((result.value as unknown[]) ?? []) : [];
  checkErrors(book, [...ended, ...(error === undefined ? [] : [error])]);
  if (operation.do === 'tools') {
    subject.tools = JSON.stringify(toolsOf(operation.size)) ?? '';
    subject.toolSize = operation.size;
  }
  if (operation.do === 'usage' && error === undefined) subject.reports += 1;
  if (state !== undefined) {
    const isSame = isDeepStrictEqual(state, stateOf(subject));
    book.holds('queries-change-nothing', isSame, 'simulate() changed something');
  }
  for (const { id, message } of manager.transcript.slice(length)) rememberPrefix(subject, id, message);
  const seen = look(subject, maySee(subject) || operation.do === 'view');
  if (undoable !== undefined && error === undefined) checkTimeTravel(subject, operation, undoable, seen);
  const expected = checkSeen(subject, seen);
  rememberView(subject, seen);
  if (before !== undefined && running.length === 0) {
    book.check('gate-suffices', subject.refused[0]);
    const target = outcome?.reason === 'before a send' ? undefined : result.target;
    const after = { seen, stats: manager.stats(), expected };
    checkCompression(subject, before, after, { outcome, error, target, step: operation.do });
  }
  return result;
}

/** Outcomes are texts, and everything else is an error. */
function checkErrors(book: LawBook, results: readonly unknown[]): void {
  const errors = results.filter((one) => typeof one !== 'string');
  book.each('typed-errors', errors, errorProblem);
}

/** Checks what a manager shows. Returns what it should. */
function checkSeen(subject: Subject, seen: Seen): ExpectedView {
  const expected = checkView(subject, seen);
  checkMemory(subject, seen);
  checkCount(subject, seen);
  return expected;
}

async function end(subject: Subject, step: Step): Promise<void> {
  const { book, manager, given } = subject;
  checkErrors(book, await settleAll(subject, step));
  checkSeen(subject, look(subject, true));
  checkSnapshot(book, manager);
  book.each('input-untouched', given, ([message, text]) =>
    JSON.stringify(message) === text ? undefined : `a message was changed: ${text.slice(0, 200)}`,
  );
}

/** The problem of a thrown value; undefined if it is a proper error. */
function errorProblem(error: unknown): string | undefined {
  if (!CtxError.isInstance(error)) return `${inspect(error)} is no error of ctx`;
  if (!errorCodes.includes(error.code)) return `${error.code} is no known code`;
  return error.remedy === '' || error.message === '' ? `${error.code} says nothing` : undefined;
}
