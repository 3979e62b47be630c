import type { CompressionOutcome, ContextManager, Message } from '@ctx/core';
import { deepFreeze } from '@ctx/testing';
import { hostileStrategy } from './hostile.js';
import { answersTo, type MessageSpec, messageOf } from './messages.js';
import type { Operation } from './operations.js';
import { type Surroundings, styleOf } from './setup.js';
import { look, type Subject } from './subject.js';

/** The result of a step, in a form that can be compared between two managers. */
export interface Result {
  readonly value?: unknown;
  readonly error?: unknown;
  /** The outcome of a compression; undefined if the step was none, or it is still running. */
  readonly outcome?: CompressionOutcome;
  readonly target?: number | undefined;
}

/** The surroundings that all managers with the same history share. */
export interface Step extends Surroundings {
  readonly tag: number;
  settle<T>(promise: Promise<T>): Promise<T>;
}

/** Takes a step with one manager. Errors become part of the result. */
export async function perform(subject: Subject, operation: Operation, step: Step): Promise<Result> {
  try {
    return await act(subject, operation, step);
  } catch (error) {
    return { error };
  }
}

async function act(subject: Subject, operation: Operation, step: Step): Promise<Result> {
  const { manager } = subject;
  const compressing = (run: (signal: AbortSignal) => Promise<CompressionOutcome>, target?: number) =>
    compression(subject, operation as Compression, step, run, target);
  switch (operation.do) {
    case 'append':
      return { value: manager.append(said(subject, operation.message, step)) };
    case 'add': {
      const message = said(subject, operation.message, step);
      return compressing((signal) => manager.add(message, { signal }));
    }
    case 'answer': {
      const answers = answersTo(manager.transcript, operation, step.tag, styleOf(subject.setup));
      return { value: answers.map((message) => manager.append(given(subject, message))) };
    }
    case 'check':
      return compressing(
        (signal) => manager.checkAndCompress({ signal, beforeSend: operation.beforeSend }),
        manager.stats().targetTokens,
      );
    case 'compress': {
      const { hostile, instructions } = operation;
      const targetTokens = targetOf(manager, operation.share);
      const strategy = hostile ? hostileStrategy(hostile, 'stranger', step.gate) : operation.strategy;
      const options = { strategy, targetTokens, instructions };
      return compressing((signal) => manager.compress({ ...options, signal }), targetTokens);
    }
    case 'simulate': {
      const { strategy, share } = operation;
      const simulated = manager.simulate({ strategy, targetTokens: targetOf(manager, share) });
      return { value: await step.settle(simulated) };
    }
    case 'recover': {
      const error = operation.overflow
        ? Object.assign(new Error('prompt is too long: 9 tokens > 8 maximum'), { status: 400 })
        : new Error('rate limit');
      return compressing((signal) => manager.recover(error, { signal }));
    }
    case 'pin':
    case 'unpin':
      return { value: manager[operation.do](idAt(manager, operation.which)) };
    case 'rewind':
      return { value: manager.rewindTo(idAt(manager, operation.which)).removed.map(({ id }) => id) };
    case 'undo': {
      const { records } = look(subject, false);
      return { value: manager.undo(records[operation.which % Math.max(1, records.length)]?.id ?? 'none') };
    }
    case 'tools':
      return { value: manager.setTools(toolsOf(operation.size)) };
    case 'usage':
      return { value: manager.reportUsage({ inputTokens: usageOf(manager, operation) as number }) };
    case 'view':
      return { value: send(subject) };
    case 'settle':
      return { value: await settleAll(subject, step) };
    case 'abort':
      for (const { abort } of subject.running) abort.abort(new Error('enough'));
      return {};
    case 'release':
    case 'wait':
    case 'restore':
      return {};
    default:
      return operation satisfies never;
  }
}

/** Waits for all running compressions. Returns their outcomes or the codes of their errors. */
export async function settleAll(subject: Subject, step: Pick<Step, 'settle'>): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const { promise } of subject.running.splice(0)) {
    const statusOrError = promise.then(({ status }) => status as unknown).catch((error: unknown) => error);
    results.push(await step.settle(statusOrError));
  }
  return results;
}

type Compression = Extract<Operation, { do: 'add' | 'check' | 'compress' | 'recover' }>;

async function compression(
  subject: Subject,
  { held, abort: when }: Compression,
  step: Step,
  run: (signal: AbortSignal) => Promise<CompressionOutcome>,
  target?: number,
): Promise<Result> {
  const abort = new AbortController();
  if (when === 'before') abort.abort(new Error('too late'));
  const promise = run(abort.signal);
  if (held === true || subject.running.length > 0) {
    // Its rejection is looked at when it is settled.
    promise.catch(() => {});
    subject.running.push({ promise, abort });
    return {};
  }
  const outcome = await step.settle(promise);
  return { value: outcome, outcome, target };
}

function said(subject: Subject, message: MessageSpec, { tag, now }: Step): Message {
  return given(subject, messageOf(message, tag, now(), styleOf(subject.setup)));
}

/** Remembers a message that is passed in. */
function given(subject: Subject, message: Message): Message {
  subject.given.set(message, JSON.stringify(message));
  return subject.setup.frozen ? deepFreeze(message) : message;
}

/** Asks for the messages to send, and remembers the request that the answer will belong to. */
function send(subject: Subject): number {
  const { manager, setup, tools } = subject;
  const view = setup.tells ? manager.request() : manager.view();
  subject.asked = { view, tools };
  return view.length;
}

function idAt(manager: ContextManager, which: number): string {
  const { transcript } = manager;
  return transcript[which % Math.max(1, transcript.length)]?.id ?? 'nobody';
}

function targetOf(manager: ContextManager, share: number | undefined): number | undefined {
  return share === undefined ? undefined : Math.floor(share * manager.stats().currentTokens);
}

export function toolsOf(size: number): unknown {
  return size === 0 ? undefined : [{ name: 'read', description: 'a tool '.repeat(size) }];
}

const absurdUsage = { negative: -1, nan: Number.NaN, huge: 1e15, text: '100' };

function usageOf(manager: ContextManager, { factor, absurd }: Extract<Operation, { do: 'usage' }>): unknown {
  return absurd === undefined ? Math.round(manager.stats().countedTokens * factor) : absurdUsage[absurd];
}
