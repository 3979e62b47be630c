import { Worker } from 'node:worker_threads';
import type { OnWarning } from '@ctx/conversation';
import { type Wait, waiting } from '@ctx/core';
import { type BirpcReturn, createBirpc } from 'birpc';
import { SignsOfLife } from './signs-of-life.js';
import { errorOf } from './start-failure.js';
import { type ConversationCalls, channelOf, type ServerCalls, type ThreadStart } from './thread-calls.js';

/** The compiled file, also where this one is run as it was written. */
const entry = new URL('../../dist/thread/main.js', import.meta.url);

/**
 * Megabytes. Below two gigabytes V8 lets garbage grow to as much as is alive, above to three times that; twenty times what the conversations
 * of one developer take. `--max-old-space-size` goes first.
 */
const maxOldGenerationSizeMb = 2_000;

type Told = 'accepted' | 'lineNeeded' | 'taken' | 'answered' | 'ended' | 'exit';

/** Ms that a thread has to leave by itself. */
const leavingMs = 1_000;

/** A thread of conversations. */
export class Thread {
  readonly calls: BirpcReturn<ConversationCalls, ServerCalls>;
  /** Resolves, with an error, an exit code or what else was the matter, when the thread has ended. */
  readonly ended: Promise<unknown>;
  readonly #worker: Worker;
  readonly #signs: SignsOfLife;
  readonly #wait: Wait;
  #number = 0;

  private constructor(start: ThreadStart, warned: OnWarning, wait: Wait) {
    this.#wait = wait;
    const worker = new Worker(entry, { workerData: start, resourceLimits: { maxOldGenerationSizeMb } });
    this.#worker = worker;
    this.calls = createBirpc<ConversationCalls, ServerCalls>(
      { warned },
      {
        ...channelOf(worker),
        // A compression takes as long as it takes.
        timeout: -1,
      },
    );
    let over = (_: unknown) => {};
    this.ended = new Promise((resolve) => {
      over = resolve;
    });
    worker.once('error', over);
    worker.once('exit', over);
    void this.ended.then(() => this.calls.$close());
    const silent = () => {
      over('no sign of life');
      void this.#worker.terminate();
    };
    this.#signs = new SignsOfLife(() => this.calls.alive(), silent, wait);
  }

  /**
   * @param wait waits between two questions for a sign of life
   * @throws what opening the conversations throws, or what has ended the thread
   */
  static async begun(start: ThreadStart, warned: OnWarning, wait: Wait = waiting): Promise<Thread> {
    const thread = new Thread(start, warned, wait);
    const ended = thread.ended.then((reason) => {
      throw reason instanceof Error ? reason : new Error('The thread has ended.');
    });
    const failure = await Promise.race([thread.calls.start(), ended]);
    if (failure === undefined) return thread;
    await thread.end();
    throw errorOf(failure);
  }

  /** The same; a thread that gives no sign of life meanwhile is ended. */
  working<Result>(asked: Promise<Result>): Promise<Result> {
    return this.#signs.during(asked);
  }

  /** A number for a request that no other has. */
  number(): number {
    this.#number += 1;
    return this.#number;
  }

  /** Says something that needs no answer; to a thread that has ended, nothing. */
  tell<Name extends Told>(name: Name, ...args: Parameters<ConversationCalls[Name]>): void {
    this.calls.$callEvent(name, ...args).catch(() => {});
  }

  /** The thread knows a request until its exchange has ended. */
  untilEnd(id: number, signal: AbortSignal | undefined): void {
    const end = () => this.tell('ended', id);
    if (signal?.aborted === true) end();
    else signal?.addEventListener('abort', end, { once: true });
  }

  /** Has the thread end where it is in nothing: Node 20 aborts the process where a thread is ended while it begins to compress bytes. */
  async end(): Promise<void> {
    const exited = new Promise<void>((resolve) => {
      this.#worker.once('exit', () => resolve());
    });
    if (this.calls.$closed) return;
    this.tell('exit');
    const cancel = this.#wait(leavingMs, () => void this.#worker.terminate());
    await exited;
    cancel();
  }
}
