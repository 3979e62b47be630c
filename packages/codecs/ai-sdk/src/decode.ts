import { type Message, withoutBytes } from '@ctx/core';
import {
  CallIds,
  CallNames,
  type DecodeContext,
  type Fields,
  isFields,
  nativeInvalid,
  type Slot,
} from '@ctx/core/codec';
import { answersTo, askedBefore, askedBy } from './approvals.js';
import { type Named, named, ownSlots } from './named-calls.js';
import type { Calls } from './part-of.js';
import type { SdkForm } from './sdk-form.js';
import { roleOf, slotsOf } from './slots.js';

/** @throws ValidationError `native-invalid` with the place that is not understood */
export function toMessages(
  form: SdkForm,
  conversation: readonly unknown[],
  { after = [] }: DecodeContext = {},
): Message[] {
  if (!Array.isArray(conversation)) {
    throw nativeInvalid(
      'A list was expected',
      'messages',
      conversation,
      'Give the `messages` or the `prompt` of a call.',
    );
  }
  const names = new CallNames(after);
  const nameOf = (id: string) => names.nameOf(id);
  const messages: Message[] = [];
  const ids = new CallIds(after);
  const all = conversation.map((native: unknown) => named(native, (role, own) => ids.idsFor(role, own)));
  const run = runFrom(all, 0);
  let calls: Calls = { nameOf, ...answersTo(askedBefore(after), run, false) };
  let before: unknown[] = [];
  conversation.forEach((native: unknown, index) => {
    const place = `messages[${index}]`;
    const role = roleOf(native, place);
    if (role !== 'tool') {
      const run = runFrom(all, index + 1);
      const isOpen = index + 1 + run.length === conversation.length;
      calls = { nameOf, ...answersTo(askedBy(all[index]?.message), run, isOpen) };
    }
    const one = all[index] as Named;
    const slots = ownSlots(slotsOf(one.message, calls, place), one, native as Fields);
    if (slots.every(({ part }) => part === undefined)) {
      before.push(native);
      return;
    }
    const message = messageOf(form, native as Fields, slots, { before, ids: one.ids });
    names.see(message);
    messages.push(message);
    before = [];
  });
  if (before.length > 0) keepBehind(form, messages, before);
  return messages;
}

/** The tool messages from a position on. */
function runFrom(all: readonly Named[], start: number): readonly unknown[] {
  const run: unknown[] = [];
  for (let at = start; at < all.length; at += 1) {
    const message = all[at]?.message;
    if (!isFields(message) || message.role !== 'tool') break;
    run.push(message);
  }
  return run;
}

function messageOf(
  form: SdkForm,
  native: Fields,
  slots: readonly Slot[],
  { before, ids }: { before: readonly unknown[]; ids: Named['ids'] },
): Message {
  const origin = { message: native, ...(before.length > 0 && { before }), ...(ids !== undefined && { ids }) };
  const isSummary = slots.some((slot) => isCompaction(slot.native));
  return form.message(roleOf(native, 'messages'), slots, origin, {
    ...((isSummary || slots.some((slot) => bringsTools(slot.native))) && { pinned: true }),
    ...(isSummary && { summary: true }),
  });
}

/** What a provider wrote in place of everything before it: a text of Anthropic's, a part of OpenAI's own kind. */
function isCompaction(part: unknown): boolean {
  if (!isFields(part)) return false;
  const { anthropic } = isFields(part.providerOptions) ? part.providerOptions : {};
  return part.kind === 'openai.compaction' || (isFields(anthropic) && anthropic.type === 'compaction');
}

/** A result of a search for tools: without it the model doesn't know those that were found. */
function bringsTools(part: unknown): boolean {
  const value = isFields(part) && isFields(part.output) ? part.output.value : undefined;
  const found = isFields(value) ? value.tools : value;
  return Array.isArray(found) && found.some(isFoundTool);
}

function isFoundTool(tool: unknown): boolean {
  if (!isFields(tool)) return false;
  const { anthropic } = isFields(tool.providerOptions) ? tool.providerOptions : {};
  const isReference = isFields(anthropic) && anthropic.type === 'tool-reference';
  return (
    isReference || tool.type === 'tool_reference' || tool.defer_loading === true || tool.type === 'namespace'
  );
}

function keepBehind(form: SdkForm, messages: Message[], behind: readonly unknown[]): void {
  const last = messages.at(-1);
  if (last === undefined) {
    throw nativeInvalid(
      'The tool messages hold no result',
      'messages[0].content',
      withoutBytes((behind[0] as Fields).content),
      'Leave them out, or read them together with the call that they answer.',
    );
  }
  const origin = last.native as Fields;
  const native = form.origin({ ...origin, behind });
  messages[messages.length - 1] = { ...last, native };
}
