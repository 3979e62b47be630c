import type { Message, Steps } from '@ctx/core';
import type { Body, WireForm } from './wire-form.js';

/** What the list of a body was decoded to. */
export interface DecodedList {
  readonly body: Body;
  readonly list: readonly unknown[];
  readonly messages: readonly Message[];
  /** Where both may be divided, in ascending order. */
  readonly seams: readonly Seam[];
}

/** So many elements of a list are so many messages. */
interface Seam {
  readonly elements: number;
  readonly messages: number;
}

/**
 * The messages of a body.
 * @param list what stands in its list
 * @param before what was decoded before: what are the same objects is not decoded again
 * @throws ValidationError as the codec
 */
export function* decodedList(
  form: WireForm,
  body: Body,
  list: readonly unknown[],
  before: DecodedList | undefined,
): Steps<DecodedList> {
  // To decode is one piece: it waits until a slice begins.
  yield;
  const seam = before && seamIn(before, form, body, list);
  const messages =
    seam === undefined
      ? decoded(form, { ...body, [form.list]: list })
      : continued(before?.messages.slice(0, seam.messages) ?? [], form, body, list.slice(seam.elements));
  const known =
    seam === undefined ? [] : (before?.seams.filter(({ elements }) => elements <= seam.elements) ?? []);
  // What an assistant says next may belong to the same message.
  const isSeam = messages.at(-1)?.role !== 'assistant' && known.at(-1)?.elements !== list.length;
  const seams = isSeam ? [...known, { elements: list.length, messages: messages.length }] : known;
  return { body, list, messages, seams };
}

function decoded(form: WireForm, body: Body, after: readonly Message[] = []): readonly Message[] {
  const history = form.read(body);
  return history === undefined ? [] : form.codec.toMessages(history, { after });
}

/** Messages, and those of the elements that come after them. */
function continued(
  messages: readonly Message[],
  form: WireForm,
  body: Body,
  rest: readonly unknown[],
): readonly Message[] {
  const others = Object.fromEntries(othersOf(form).map((member) => [member, undefined]));
  return [...messages, ...decoded(form, { ...body, ...others, [form.list]: rest }, messages)];
}

/** The last place up to which both are the same objects, and may be divided. */
function seamIn(before: DecodedList, form: WireForm, body: Body, list: readonly unknown[]): Seam | undefined {
  if (othersOf(form).some((member) => body[member] !== before.body[member])) return undefined;
  const other = before.list.findIndex((element, at) => element !== list[at]);
  const same = other < 0 ? before.list.length : other;
  return before.seams.findLast(({ elements }) => elements <= same);
}

/** The members of a body that hold a part of the conversation, besides the list. */
const othersOf = ({ members, list }: WireForm) => members.filter((member) => member !== list);
