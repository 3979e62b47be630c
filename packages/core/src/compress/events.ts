import { EventEmitter } from 'eventemitter3';
import type { CompressionLevel } from '../base/compression-level.js';
import { isThenable } from '../base/deadline.js';
import { ConfigError, type ContextOverflowError } from '../base/errors.js';
import { nearest } from '../base/nearest.js';
import type { Usage, UsageOutcome } from '../budget/usage-report.js';
import type { MessageId } from '../transcript/message.js';
import type { TranscriptMessage } from '../transcript/transcript.js';
import type { Edit } from '../view/edit.js';
import type { RejectedEdit } from '../view/gate.js';
import type { EpochReason } from '../view/presenter.js';
import type { CompressionRecord } from './record.js';

/** The events that a manager emits. */
export interface ContextEvents {
  /** A message has been appended; its tokens are as counted here. */
  'message-append': { readonly message: TranscriptMessage; readonly tokens: number };
  /** New results are sent as excerpts; tokens are those of their message as counted here, and `handle` reads it in the archive. */
  'arrival-shorten': {
    readonly id: MessageId;
    readonly tools: readonly string[];
    readonly tokensBefore: number;
    readonly tokensAfter: number;
    readonly handle: string;
  };
  /** The window is as full as the configuration's `warn`. `utilization` is 0–1. */
  'usage-warning': { readonly tokens: number; readonly contextWindow: number; readonly utilization: number };
  /** The host has reported what the provider counted and said of a request, and whether the figure was used. */
  'usage-report': { readonly usage: Usage; readonly outcome: UsageOutcome };
  /** The window is fuller or emptier than before by at least one level. */
  'level-change': { readonly from: CompressionLevel; readonly to: CompressionLevel };
  /** A stage has a plan. */
  'strategy-select': { readonly strategy: string; readonly chosen?: string | undefined };
  /** Tokens in the provider's measure. Those of the record are as counted here. */
  'compression-start': { readonly reason: string; readonly tokens: number; readonly targetTokens: number };
  /** A record was made. With `error`, the view is still larger than the window, and the call rejects with that error. */
  'compression-end': { readonly record: CompressionRecord; readonly error?: ContextOverflowError };
  /** A check compressed nothing, or a stage was skipped. */
  'compression-skip': { readonly reason: string; readonly strategy?: string };
  /**
   * A stage failed, or the whole compression if `strategy` is missing. Every compression that starts ends exactly once,
   * with an event that names no strategy: a record, a skip or a failure.
   */
  'compression-fail': { readonly error: unknown; readonly strategy?: string; readonly edit?: Edit };
  /** An edit of a strategy was not applied, because it breaks a guarantee or names what is not there. */
  'edit-reject': RejectedEdit & { readonly strategy: string };
  /**
   * A stage runs because an earlier one, `after`, failed or did not reach the target. A `partial` strategy prepares for
   * others and does not promise the target, so the stage after it is a fallback only if it fails. The last resort is
   * always a fallback if any stage ran before it.
   */
  'fallback-use': { readonly strategy: string; readonly after: string };
  /**
   * A new epoch: something before the end of the view has changed, because of a record, undo, rewind, other tools,
   * another system prompt, or a summary from outside. Within an epoch every request extends the one before it. `record`
   * names the record that was made or undone.
   */
  'epoch-start': {
    readonly epoch: number;
    readonly reason: EpochReason;
    readonly record?: string | undefined;
  };
  /** `rewindTo` or `sync` went back to an earlier message. */
  'transcript-rewind': {
    /** The message that is now the last one; missing if none is left. */
    readonly to?: MessageId | undefined;
    readonly removed: number;
    readonly undone: readonly string[];
  };
  /** What was removed from the view could not be archived. It stays in the transcript, and the next record tries again. */
  'archive-fail': { readonly error: unknown };
  /** Something in the use of the manager is probably not meant; each code is told once. */
  hint: { readonly code: string; readonly message: string };
  /** A listener threw or rejected. The compression continued. */
  'listener-fail': { readonly event: string; readonly error: unknown };
}

export type EventName = keyof ContextEvents;
export type Listener<Name extends EventName> = (event: ContextEvents[Name]) => unknown;

const names: Readonly<Record<EventName, true>> = {
  'message-append': true,
  'arrival-shorten': true,
  'epoch-start': true,
  'usage-warning': true,
  'usage-report': true,
  'level-change': true,
  'strategy-select': true,
  'compression-start': true,
  'compression-end': true,
  'compression-skip': true,
  'compression-fail': true,
  'edit-reject': true,
  'fallback-use': true,
  'transcript-rewind': true,
  'listener-fail': true,
  'archive-fail': true,
  hint: true,
};

/** @throws ConfigError if there is no such event, or the listener is not a function */
function checkListener(name: unknown, listener: unknown): void {
  if (typeof name !== 'string' || !Object.hasOwn(names, name)) {
    const guess = typeof name === 'string' ? nearest(name, Object.keys(names)) : undefined;
    throw new ConfigError({
      code: 'config-invalid',
      problem: 'There is no event of this name',
      place: 'event',
      value: name,
      remedy:
        guess === undefined ? `There are ${Object.keys(names).join(', ')}.` : `Did you mean "${guess}"?`,
    });
  }
  if (typeof listener !== 'function') {
    throw new ConfigError({
      code: 'config-invalid',
      problem: `The listener to "${name}" must be a function`,
      place: 'listener',
      value: listener,
      remedy: `Write manager.on('${name}', (event) => { … }).`,
    });
  }
}

/** A typed emitter whose listeners can't break what it reports on. */
export class SafeEmitter {
  readonly #emitter = new EventEmitter();

  /** Adds a listener and returns a function that removes it. */
  on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void {
    checkListener(name, listener);
    this.#emitter.on(name, listener);
    return () => this.off(name, listener);
  }

  off<Name extends EventName>(name: Name, listener: Listener<Name>): void {
    checkListener(name, listener);
    this.#emitter.off(name, listener);
  }

  emit<Name extends EventName>(name: Name, event: ContextEvents[Name]): void {
    const fail = (error: unknown) => {
      if (name !== 'listener-fail') this.emit('listener-fail', { event: name, error });
    };
    for (const listener of this.#emitter.listeners(name)) {
      try {
        const returned: unknown = listener(event);
        if (isThenable(returned)) returned.then(undefined, fail);
      } catch (error) {
        fail(error);
      }
    }
  }
}
