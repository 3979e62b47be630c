import { isFields, isOverflowError } from '@ctx/core/codec';
import type { StreamEvent } from '@openai/agents';

/** Events of the Responses API that say nothing of an answer yet, or that there is none. */
const empty: readonly unknown[] = [
  'response.created',
  'response.queued',
  'response.in_progress',
  'response.failed',
  'error',
];

/** The events of a stream up to the first that belongs to an answer. */
export class HeldEvents {
  #held: StreamEvent[] = [];
  #begun = false;

  get hasBegun(): boolean {
    return this.#begun;
  }

  /** The events to pass on when an event has come: none while all of them are empty. */
  after(event: StreamEvent): StreamEvent[] {
    this.#held.push(event);
    this.#begun ||= !isEmpty(event);
    return this.#begun ? this.rest() : [];
  }

  /** All that is held back. */
  rest(): StreamEvent[] {
    const held = this.#held;
    this.#held = [];
    return held;
  }

  /** The overflow that an event tells of. The error that the SDK throws after it does not say why the answer failed. */
  overflow(): unknown {
    return this.#held.map(errorIn).find(isOverflowError);
  }
}

function isEmpty(event: StreamEvent): boolean {
  if (event.type === 'model') return isFields(event.event) && empty.includes(event.event.type);
  return event.type === 'response_started';
}

function errorIn(event: StreamEvent): unknown {
  if (event.type !== 'model' || !isFields(event.event)) return undefined;
  const { response } = event.event;
  return isFields(response) ? response.error : event.event;
}
