import { type Message, partsOf, partText, type ToolCallPart, toolCallsOf } from '@ctx/core';
import { occursIn } from './atoms.js';
import { grouped } from './averages.js';
import type { AtomContext } from './cuts.js';
import { mainArgumentOf } from './message-label.js';
import { textOf } from './spoken.js';

/** Number of characters of a call's path, command or query that a heading must name, from its beginning or its end. */
const namedLength = 24;
const heading = /^ {0,3}#{1,6} .*$/gm;

/**
 * Says whether a reader of the compressed messages can see where a context comes from. It must be in its original message, in a result
 * with its call, or under a heading that names the speaker, or the tool with its path, command or query.
 */
export function groundOf(
  prefix: readonly Message[],
  compressed: readonly Message[],
): (context: AtomContext) => boolean {
  const answers = grouped(resultsOf(prefix), ({ message }) => message);
  const left = grouped(resultsOf(compressed), ({ id }) => id);
  const tools = new Set(prefix.flatMap(toolCallsOf).map(({ toolName }) => toolName.toLowerCase()));
  const texts = compressed.map((message) => ({ message, text: textOf(message) }));
  const sectioned = texts.flatMap(({ text }) => sectionsOf(text));

  const answersHolding = ({ message, text }: AtomContext) =>
    (answers.get(message) ?? []).filter((answer) => answer.text.includes(text));
  const standsInItsMessage = (context: AtomContext) => {
    const { role } = prefix[context.message] as Message;
    const { text } = context;
    if (role === 'tool')
      return answersHolding(context).some(({ id, call }) =>
        left.get(id)?.some((one) => one.text.includes(text) && keepsPoint(call, one.call)),
      );
    return texts.some(
      (one) => one.message.role === role && one.message.summary !== true && one.text.includes(text),
    );
  };
  const standsUnderItsHeading = (context: AtomContext) => {
    const original = prefix[context.message] as Message;
    const sources = [...answersHolding(context).map(({ call }) => call), ...toolCallsOf(original)];
    return sectioned.some(
      (section) =>
        section.text.includes(context.text) &&
        (namesSpeaker(section.heading, original.role, tools) ||
          sources.some((call) => call !== undefined && namesCall(section.heading, call))),
    );
  };
  return (context) => standsInItsMessage(context) || standsUnderItsHeading(context);
}

interface Result {
  /** Position of its message. */
  readonly message: number;
  readonly id: string;
  readonly text: string;
  readonly call: ToolCallPart | undefined;
}

/** Every result with its call: the newest call of that id before it, because ids may be reused. */
function resultsOf(messages: readonly Message[]): Result[] {
  const calls = new Map<string, ToolCallPart>();
  return messages.flatMap((message, index) => {
    for (const call of toolCallsOf(message)) calls.set(call.toolCallId, call);
    return partsOf(message).flatMap((part) => {
      if (part.type !== 'tool-result') return [];
      const { toolCallId: id } = part;
      return [{ message: index, id, text: partText(part) ?? '', call: calls.get(id) }];
    });
  });
}

/** A call's path, command or query may be shortened, but it may not be a different one. */
function keepsPoint(before: ToolCallPart | undefined, after: ToolCallPart | undefined): boolean {
  if (before === undefined || after === undefined) return false;
  const [point, left] = [mainArgumentOf(before), mainArgumentOf(after) ?? ''];
  if (point === undefined || plain(left) === plain(point)) return true;
  return plain(point).length > namedLength && names(left, point);
}

/** `## user`, `## What the user said`; not the `user` in a heading that begins with a tool's name. */
function namesSpeaker(headingText: string, role: Message['role'], tools: ReadonlySet<string>): boolean {
  const words = headingText.split(/[\s#:;,"'’()*]+/).filter((word) => word !== '');
  return role !== 'tool' && words.includes(role) && !tools.has(words[0] as string);
}

function namesCall(headingText: string, call: ToolCallPart): boolean {
  if (!occursIn(call.toolName.toLowerCase(), headingText)) return false;
  const point = mainArgumentOf(call);
  return point === undefined || names(headingText, point);
}

/** A short text must be named as a whole, a long one by its beginning or its end. */
function names(text: string, point: string): boolean {
  const [within, of] = [plain(text), plain(point)];
  if (of.length <= namedLength) return occursIn(of, within);
  return within.includes(of.slice(0, namedLength)) || within.includes(of.slice(-namedLength));
}

/** Line breaks and case may differ. */
function plain(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

/** The parts of a text under a heading, with the heading. */
function sectionsOf(text: string): { readonly heading: string; readonly text: string }[] {
  const headings = [...text.matchAll(heading)];
  return headings.map((found, index) => ({
    heading: found[0].toLowerCase(),
    text: text.slice(found.index, headings[index + 1]?.index ?? text.length),
  }));
}
