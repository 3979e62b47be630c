import { CtxError } from '@ctx/core';
import type { Note, Session } from '../session.js';
import type { Arrival } from './timeline.js';

/** A line and, if a record holds several messages, the one of them. */
export interface Place {
  readonly line: number;
  /** As in `messages[3]`. */
  readonly path?: string;
}

interface Refusal {
  /** What is wrong, as a sentence without a full stop. */
  readonly problem: string;
  readonly value?: unknown;
  readonly remedy?: string;
  readonly cause?: unknown;
}

const lenientRemedy = 'Repair the record, or read with { lenient: true } to leave it out.';

/** Collects everything that a reader reports besides the messages. Only here do strict and lenient reading differ. */
export class Findings {
  #skipped: Note[] = [];
  #leftOut = new Map<string, number>();

  constructor(
    readonly file: string,
    readonly lenient: boolean,
  ) {}

  /** Reports a record of the conversation that cannot be a message. */
  skip(place: Place, reason: string): void {
    this.#skipped.push(noteOf(place, reason));
  }

  /** Counts records that do not belong to the conversation. */
  leaveOut(kind: string, count = 1): void {
    if (count === 0) return;
    this.#leftOut.set(kind, (this.#leftOut.get(kind) ?? 0) + count);
  }

  /**
   * Reports a broken record.
   * @throws CtxError `session-record-invalid` unless reading is lenient
   */
  refuse({ line, path }: Place, { problem, value, remedy = '', cause }: Refusal): void {
    if (this.lenient) {
      this.#skipped.push(noteOf({ line, ...(path !== undefined && { path }) }, problem));
      return;
    }
    throw new CtxError({
      code: 'session-record-invalid',
      problem,
      place: [`${this.file}:${line}`, path].filter((part) => part !== undefined).join(' '),
      ...(value !== undefined && { value: shortened(value) }),
      remedy: `${remedy} ${lenientRemedy}`.trim(),
      cause,
    });
  }

  /** Reports a record that core or a codec refuses. */
  refuseFor(place: Place, error: CtxError): void {
    this.refuse(place, { problem: error.problem, value: error.value, remedy: error.remedy, cause: error });
  }

  /** Reports how a result found its call. False for one that is not accepted. */
  accepts(arrival: Arrival, place: Place, callId: unknown): boolean {
    if (arrival === 'twice') this.skip(place, `The call ${callId} is answered already`);
    if (arrival === 'without-call')
      this.refuse(place, { problem: 'The tool result answers no call', value: callId });
    return arrival === 'placed';
  }

  /** Returns what was found since the last call. */
  take(): Pick<Session, 'skipped' | 'leftOut'> {
    const found = {
      skipped: this.#skipped.toSorted((a, b) => a.line - b.line),
      leftOut: Object.fromEntries(this.#leftOut),
    };
    this.#skipped = [];
    this.#leftOut = new Map();
    return found;
  }
}

function noteOf({ line, path }: Place, reason: string): Note {
  return { line, reason: path === undefined ? reason : `${path}: ${reason}` };
}

/** Cuts the value, so that an error does not keep a line of many megabytes in memory. */
function shortened(value: unknown): unknown {
  return typeof value === 'string' ? value.slice(0, 200) : value;
}
