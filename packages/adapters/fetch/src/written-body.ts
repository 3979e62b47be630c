import type { Steps } from '@ctx/core';
import type { HiddenTurn } from './hidden/hidden-turns.js';
import type { JsonSource } from './json-source.js';
import type { Body, WireForm } from './wire-form.js';

/** Characters of a body that takes some ms to write. */
const longBody = 256 * 1024;

/** The original body, and what is known of it. */
export interface BodySource {
  readonly form: WireForm;
  readonly source: JsonSource;
  /** Missing where no hidden tool is offered. */
  readonly hidden: HiddenTurn | undefined;
  /** True where the hidden tool is offered no longer, although its calls are in the history. */
  readonly isWithoutTool?: boolean | undefined;
}

/** What is to be sent in the place of a body. */
export interface WrittenBody {
  /** `undefined` for the original body. */
  readonly body: string | undefined;
  /** True if a first user message is all that was added: some providers refuse a history that begins with an answer. */
  readonly isOnlyLeadingUser: boolean;
}

/** The body with another history, as it came if the history says nothing else. Where it may take some ms, in a slice of its own. */
export function* writtenBody(from: BodySource, native: unknown): Steps<WrittenBody> {
  const { form, source, hidden, isWithoutTool = false } = from;
  if (source.text.length > longBody) yield;
  const [before, after] = [form.write(form.read(source.value as Body)), form.write(native)];
  const changed = form.members.filter((key) => !isSame(before[key], after[key]));
  if (changed.length === 0 && hidden === undefined) return { body: undefined, isOnlyLeadingUser: false };
  const isOnlyLeadingUser =
    hidden === undefined && changed.every((key) => isOnlyLonger(before[key], after[key]));
  const members = Object.fromEntries(changed.map((key) => [key, after[key]]));
  const body = source.withMembers({
    ...members,
    ...(hidden !== undefined && !isWithoutTool && { tools: hidden.tools }),
  });
  return { body, isOnlyLeadingUser };
}

/** True for a list that begins with one entry more. */
function isOnlyLonger(before: unknown, after: unknown): boolean {
  return Array.isArray(after) && isSame(before, after.slice(1));
}

/** True for the same value, and for a list of the same objects. */
function isSame(before: unknown, after: unknown): boolean {
  if (before === after) return true;
  if (!Array.isArray(before) || !Array.isArray(after)) return false;
  return before.length === after.length && before.every((one, index) => one === after[index]);
}
