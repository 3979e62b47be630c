import type { ContextManager } from '@ctx/core';
import { type Fields, isFields, stringifyJson } from '@ctx/core/codec';
import type { EventSourceMessage } from 'eventsource-parser';
import { parsed } from '../answer-frames.js';

/** How the answers of an API are read, and what an agent is shown of them. What its codec knows, such as which calls there are, is not here. */
export interface AnswerForm {
  /** The list of tools with one more. */
  offered(tools: readonly unknown[], tool: HiddenTool): readonly unknown[];
  /** True for an entry of a history that the model said. */
  isAnswer(entry: Fields): boolean;
  /** True if several entries that follow each other are one answer. */
  readonly hasManyEntries: boolean;
  /** An answer in the form of a history; `undefined` for what is not an answer. */
  read(body: Fields): readonly unknown[] | undefined;
  /** What the agent is shown of one or several answers of the model. */
  shown(bodies: readonly Fields[], name: string, isCut: boolean): Fields;
  stream(name: string): AnswerStream;
}

export type StreamEvent = Readonly<EventSourceMessage>;

/**
 * An answer that passes as a stream, made of one or several answers of the model. What belongs to the hidden tool stays behind, and what ends
 * an answer is held back until it is known whether another one follows.
 */
export abstract class AnswerStream {
  protected isFirst = true;
  /** The parts of the newest answer by their places in it. */
  protected readonly parts = new Map<number, Record<string, unknown>>();
  #held: { readonly data: Fields; readonly event: StreamEvent }[] = [];
  /** The place of a part in what the agent is shown. */
  readonly #places = new Map<number, number>();
  #shown = 0;

  /** @param name of the hidden tool */
  constructor(readonly name: string) {}

  /** The events to pass on for one that came. */
  abstract take(data: Fields, event: StreamEvent): readonly StreamEvent[];

  /** What the model has said since the last call of `next`, in the form of a history. */
  abstract entries(): readonly unknown[];

  /** What is still to be shown of an event that was held back, if the answer goes on; `undefined` for nothing. */
  protected continued(_data: Fields): Fields | undefined {
    return undefined;
  }

  /** An event that was held back, at the end of all. */
  protected ended(data: Fields, _isCut: boolean): Fields {
    return data;
  }

  protected hold(data: Fields, event: StreamEvent): readonly StreamEvent[] {
    this.#held.push({ data, event });
    return [];
  }

  /** The agent is shown the part at this place. */
  protected show(index: number): void {
    this.#places.set(index, this.#shown);
    this.#shown += 1;
  }

  /** Where the agent sees a part; `undefined` for one of the hidden tool. */
  protected placeOf(index: number): number | undefined {
    return this.#places.get(index);
  }

  /** The answer goes on with another one of the model. Gives what is still to be shown of the one before. */
  next(): readonly StreamEvent[] {
    const left = this.#held.flatMap(({ data, event }) => {
      const more = this.continued(data);
      return more === undefined ? [] : [eventOf(more, event)];
    });
    this.#held = [];
    this.isFirst = false;
    this.parts.clear();
    this.#places.clear();
    return left;
  }

  /**
   * What was held back.
   * @param isCut true if the model called nothing but the hidden tool until the end
   */
  end(isCut: boolean): readonly StreamEvent[] {
    return this.#held.map(({ data, event }) => eventOf(this.ended(data, isCut), event));
  }
}

/** A value if it is an object; otherwise an empty one. */
export const fieldsIn = (value: unknown): Fields => (isFields(value) ? value : {});

/** The elements of a list that are objects; none of what is not a list. */
export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

export function eventOf(data: Fields, { event, id }: StreamEvent): StreamEvent {
  return { event, id, data: stringifyJson(data) };
}

/** A text of JSON as an object; an empty one if it is none, as after an answer that was cut off. */
export const parsedArguments = (text: string): Fields => fieldsIn(parsed(text));

/** A tool that is offered to the model and answered on the way: the agent sees neither its calls nor its results. */
export interface HiddenTool {
  readonly name: string;
  /** What it is for, as the model reads it. */
  readonly description: string;
  /** JSON schema of the arguments. */
  readonly parameters: object;
  /**
   * Answers a call. It must not reject.
   * @param args what the model sent, parsed or as JSON text
   * @param conversation finds and reads what was said in the conversation of the call
   */
  run(args: unknown, conversation: ContextManager): Promise<string>;
}
