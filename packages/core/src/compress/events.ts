import { EventEmitter } from 'eventemitter3';
import type { CompressionLevel } from '../base/compression-level.js';
import { isThenable } from '../base/deadline.js';
import { ConfigError, type ContextOverflowError } from '../base/errors.js';
import { nearest } from '../base/nearest.js';
import type { MessageId } from '../transcript/message.js';
import type { TranscriptMessage } from '../transcript/transcript.js';
import type { EpochReason } from '../view/conversation.js';
import type { Edit } from '../view/edit.js';
import type { RejectedEdit } from '../view/gate.js';
import type { CompressionRecord } from './record.js';

/** What a manager tells its listeners. */
export interface ContextEvents {
  'message-append': { readonly message: TranscriptMessage; readonly tokens: number };
  /** The window got as full as the configuration's `warn`. `utilization` is 0–1. */
  'usage-warning': { readonly tokens: number; readonly contextWindow: number; readonly utilization: number };
  'level-change': { readonly from: CompressionLevel; readonly to: CompressionLevel };
  /** A stage has a plan. */
  'strategy-select': { readonly strategy: string; readonly chosen?: string | undefined };
  /** Tokens in the provider's measure; those of the record are as counted here. */
  'compression-start': { readonly reason: string; readonly tokens: number; readonly targetTokens: number };
  /** A record was made. `error`: the view is larger than the window all the same, and the call rejects with it. */
  'compression-end': { readonly record: CompressionRecord; readonly error?: ContextOverflowError };
  /** A check that compressed nothing, or a stage that was passed over. */
  'compression-skip': { readonly reason: string; readonly strategy?: string };
  /**
   * A stage that failed, or the compression as a whole where `strategy` is missing. A compression that starts ends once: with a record, a skip
   * or a failure, none of which names a strategy.
   */
  'compression-fail': { readonly error: unknown; readonly strategy?: string; readonly edit?: Edit };
  'edit-reject': RejectedEdit & { readonly strategy: string };
  /**
   * A stage runs because one before it, `after`, failed or did not reach the target. Strategies that are `partial` prepare for
   * others and do not promise the target, so what follows them is no fallback, but where they fail. The last resort always is one, where
   * any stage came before it.
   */
  'fallback-use': { readonly strategy: string; readonly after: string };
  /**
   * What stands before the end of the view is another from now on: because of a record, undo, rewind, other tools, another system prompt, or
   * a summary that came from outside. Within an epoch every request extends the one before it. `record` names the record made or undone.
   */
  'epoch-start': {
    readonly epoch: number;
    readonly reason: EpochReason;
    readonly record?: string | undefined;
  };
  'transcript-rewind': {
    /** The message that is now the last one; missing if none is left. */
    readonly to?: MessageId | undefined;
    readonly removed: number;
    readonly undone: readonly string[];
  };
  /** A listener threw or rejected; the compression went on. */
  'listener-fail': { readonly event: string; readonly error: unknown };
}

export type EventName = keyof ContextEvents;
export type Listener<Name extends EventName> = (event: ContextEvents[Name]) => unknown;

const names: Readonly<Record<EventName, true>> = {
  'message-append': true,
  'epoch-start': true,
  'usage-warning': true,
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
};

/** @throws ConfigError where there is no such event, or the listener is no function */
function checkListener(name: unknown, listener: unknown): void {
  if (typeof name !== 'string' || !Object.hasOwn(names, name)) {
    const guess = nearest(String(name), Object.keys(names));
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
  /** By event: one listener may hear several. */
  readonly #guarded = new Map<EventName, WeakMap<object, (event: unknown) => void>>();

  /** Adds a listener and returns a function that takes it away again. */
  on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void {
    checkListener(name, listener);
    const known = this.#guarded.get(name) ?? new WeakMap();
    this.#guarded.set(name, known);
    const guarded = known.get(listener) ?? this.#guard(name, listener as Listener<EventName>);
    known.set(listener, guarded);
    this.#emitter.on(name, guarded);
    return () => this.off(name, listener);
  }

  off<Name extends EventName>(name: Name, listener: Listener<Name>): void {
    checkListener(name, listener);
    const guarded = this.#guarded.get(name)?.get(listener);
    if (guarded !== undefined) this.#emitter.off(name, guarded);
  }

  emit<Name extends EventName>(name: Name, event: ContextEvents[Name]): void {
    this.#emitter.emit(name, event);
  }

  #guard(name: EventName, listener: Listener<EventName>): (event: unknown) => void {
    const fail = (error: unknown) => {
      if (name !== 'listener-fail') this.emit('listener-fail', { event: name, error });
    };
    return (event) => {
      try {
        const returned = listener(event as never);
        if (isThenable(returned)) returned.then(undefined, fail);
      } catch (error) {
        fail(error);
      }
    };
  }
}
