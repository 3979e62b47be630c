import type { Wait } from '../base/wait.js';
import type { SafeEmitter } from '../compress/events.js';
import type { CompressionRecord } from '../compress/record.js';
import type { Archive } from '../transcript/archive.js';
import type { Conversation } from '../view/conversation.js';
import type { EpochReason } from '../view/epoch.js';
import type { NumberRange } from './number-ranges.js';

/** What a manager knows of its archive, as plain JSON, for a snapshot. Messages are numbered from 1. */
export interface ArchiveState {
  /** The id under which the conversation is kept. */
  readonly conversation: string;
  /** The messages that are kept. */
  readonly kept: readonly NumberRange[];
  /** After a rewind, the messages behind this one are to be forgotten. */
  readonly cut?: number | undefined;
}

export interface ArchiveSurroundings {
  readonly archive: Archive;
  /** Archives what left the view. */
  readonly catchUp: (link: ArchiveLink) => Promise<void>;
  /** The id under which the conversation is kept. */
  readonly name: string;
  readonly conversation: Conversation<CompressionRecord>;
  readonly events: SafeEmitter;
  /** Limit for one call of the archive, in ms. */
  readonly timeoutMs: number;
  readonly wait: Wait | undefined;
  /** Lets the event loop turn. */
  readonly pause: () => unknown;
  readonly recallTool: string | undefined;
  /** Tokens outside the view from which on the oldest leave memory; 0 if none do. */
  readonly roomTokens: number;
}

/** A manager's side of its archive: what is kept, and what is still to be done. */
export class ArchiveLink {
  kept: readonly NumberRange[] = [];
  /** Messages of which a call that failed may have left some there, or removed some. */
  doubtful: readonly NumberRange[] = [];
  cut: number | undefined;
  /** Messages in whose place the archive has others. */
  refused: readonly NumberRange[] = [];
  /** Messages that the archive does not give back as they are. */
  readonly staying = new WeakSet<object>();
  /** Calls that were given up, and may still write or remove something. Until they end, nothing leaves memory. */
  unanswered = 0;
  /** Why the last attempt failed. */
  fault: unknown;
  #isBehind = false;
  #running: Promise<void> | undefined;

  constructor(readonly surroundings: ArchiveSurroundings) {}

  get state(): ArchiveState {
    return { conversation: this.surroundings.name, kept: this.kept, cut: this.cut };
  }

  /** The state of a snapshot counts only for the conversation that it was made for: a fork archives its own. */
  resume(state: ArchiveState | undefined): void {
    if (state?.conversation === this.surroundings.name) {
      this.kept = state.kept;
      this.cut = state.cut;
    }
    this.changed('record');
  }

  /** The view has changed. Returns at once. */
  changed(reason: EpochReason): void {
    if (reason === 'rewind')
      this.cut = Math.min(this.cut ?? Infinity, this.surroundings.conversation.transcript.length);
    this.#isBehind = true;
    this.#start();
  }

  /** Tries once more what failed. True if then everything that left the view is archived. */
  async caughtUp(): Promise<boolean> {
    await this.#running;
    this.refused = [];
    if (this.fault !== undefined) this.#isBehind = true;
    await this.#start();
    return this.fault === undefined;
  }

  /** Begins to catch up, unless that is going on already. */
  #start(): Promise<void> {
    if (!this.#isBehind) return this.#running ?? Promise.resolve();
    this.#running ??= this.#catchUp().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #catchUp(): Promise<void> {
    try {
      while (this.#isBehind) {
        this.#isBehind = false;
        await this.surroundings.catchUp(this);
      }
      this.fault = undefined;
    } catch (error) {
      this.fault = error;
      this.surroundings.events.emit('archive-fail', { error });
    }
  }

  /** Waits until what is on its way has arrived or failed. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** What is wrong, for the manager's warnings; undefined if nothing is. */
  get warning(): string | undefined {
    if (this.fault === undefined) return undefined;
    const why = this.fault instanceof Error ? this.fault.message : String(this.fault);
    return `Removed messages are not archived yet; ctx will try again: ${why}`;
  }
}
