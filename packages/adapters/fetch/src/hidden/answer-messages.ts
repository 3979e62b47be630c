import { type Message, partsOf, type ToolCallPart } from '@ctx/core';
import type { WireForm } from '../wire-form.js';
import type { AnswerForm } from './answer-form.js';

/** A form in which a hidden tool can be offered. */
export type AnsweringForm = WireForm & { readonly answers: AnswerForm };

export const canAnswer = (form: WireForm): form is AnsweringForm => form.answers !== undefined;

/** Entries of a history as messages. */
export const messagesIn = ({ codec }: WireForm, entries: readonly unknown[]) => codec.toMessages(entries);

/** The calls in an answer that the agent or the hidden tool has to answer; none in one that the codec can't read, which then passes. */
export function callsIn(form: WireForm, entries: readonly unknown[]): ToolCallPart[] {
  try {
    const parts = messagesIn(form, entries).flatMap(partsOf);
    return parts.filter((part) => part.type === 'tool-call');
  } catch {
    return [];
  }
}

/** Messages as entries of a history. */
export function entriesOf({ codec, list, write }: WireForm, messages: readonly Message[]) {
  return write(codec.fromMessages(messages))[list] as readonly unknown[];
}

/** Results of hidden calls, and what the agent sent after the answer: together, where the API wants all results in one entry. */
export function joined(form: WireForm, results: readonly Message[], next: unknown): readonly unknown[] {
  return entriesOf(form, [...results, ...(next === undefined ? [] : messagesIn(form, [next]))]);
}
