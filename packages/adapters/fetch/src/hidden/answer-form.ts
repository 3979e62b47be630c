import type { ContextManager } from '@ctx/core';
import { type Fields, isFields, stringifyJson } from '@ctx/core/codec';
import { parsed } from '../answer-frames.js';

/** A call of the hidden tool in an answer. */
interface HiddenCall {
  /** As the provider wrote it. */
  readonly native: Fields;
  /** What the model sent, parsed or as JSON text. */
  readonly args: unknown;
}

/** What the model has said in answer to one request. */
export interface Answer {
  /** The same in the form of a history. */
  readonly entries: readonly unknown[];
  readonly calls: readonly HiddenCall[];
  /** True if it also calls tools of the agent. */
  readonly isMixed: boolean;
}

/** An event of a stream. */
export interface StreamEvent {
  readonly event?: string | undefined;
  readonly id?: string | undefined;
  readonly data: string;
}

/**
 * An answer that passes as a stream, made of one or several answers of the model. What belongs to the hidden tool stays behind, and what ends
 * an answer is held back until it is known whether another one follows.
 */
export interface AnswerStream {
  /** The events to pass on for one that came. */
  take(data: Fields, event: StreamEvent): readonly StreamEvent[];
  /** What the model has said since the last call of `next`. */
  answer(): Answer;
  /** The answer goes on with another one of the model. Gives what is still to be shown of the one before. */
  next(): readonly StreamEvent[];
  /**
   * What was held back.
   * @param isCut true if the model called nothing but the hidden tool until the end
   */
  end(isCut: boolean): readonly StreamEvent[];
}

/** How the answers of an API are read, and what an agent is shown of them. */
export interface AnswerForm {
  /** The list of tools with one more. */
  offered(tools: readonly unknown[], tool: HiddenTool): readonly unknown[];
  /** True for an entry of a history that the model said. */
  isAnswer(entry: Fields): boolean;
  /** True if several entries that follow each other are one answer. */
  readonly hasManyEntries: boolean;
  /** How a history shows the results of calls. */
  resultsOf(results: readonly { readonly native: Fields; readonly output: string }[]): readonly unknown[];
  /** Results of hidden calls, and what the agent sent after the answer. */
  joined(results: readonly unknown[], next: unknown): readonly unknown[];
  /** `undefined` for what is not an answer. */
  read(body: Fields, name: string): Answer | undefined;
  /** What the agent is shown of one or several answers of the model. */
  shown(bodies: readonly Fields[], name: string, isCut: boolean): Fields;
  stream(name: string): AnswerStream;
}

/** The elements of a list that are objects; none of what is not a list. */
export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

export function eventOf(data: Fields, { event, id }: StreamEvent): StreamEvent {
  return { event, id, data: stringifyJson(data) };
}

/** A text of JSON as an object; an empty one if it is none, as after an answer that was cut off. */
export function parsedArguments(text: string): Fields {
  const value = parsed(text);
  return isFields(value) ? value : {};
}

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
