import { type Message, partsOf, partText, type ToolCallPart, toolCallsOf } from '@ctx/core';
import type { AtomContext } from './cuts.js';
import { mainArgumentOf } from './main-argument.js';
import { textOf } from './spoken.js';

/** How much of a call's path, command or query a heading has to name, in characters, from its beginning or its end. */
const namedLength = 24;
const heading = /^ {0,3}#{1,6} .*$/gm;

/**
 * Tells whether a reader of the compressed messages can see where a context is from: it stands in its original message, a
 * result beside its call, or in a text under a heading that names the speaker, or the tool with its path, command or query.
 */
export function groundOf(
  prefix: readonly Message[],
  compressed: readonly Message[],
): (context: AtomContext) => boolean {
  const calls = callsOf(prefix);
  const callsLeft = callsOf(compressed);
  const results = new Map<string, string>();
  for (const part of compressed.flatMap(partsOf))
    if (part.type === 'tool-result') results.set(part.toolCallId, partText(part) ?? '');
  const texts = compressed.map((message) => ({ message, text: textOf(message) }));
  const sectioned = texts.flatMap(({ text }) => sectionsOf(text));

  const standsInItsMessage = ({ message: index, text }: AtomContext) => {
    const { role } = prefix[index] as Message;
    const answers = resultsHolding(prefix[index] as Message, text);
    if (role === 'tool')
      return answers.some((id) => results.get(id)?.includes(text) === true && keepsItsPoint(id));
    return texts.some(
      (one) => one.message.role === role && one.message.summary !== true && one.text.includes(text),
    );
  };
  const keepsItsPoint = (id: string) => {
    const [before, after] = [calls.get(id), callsLeft.get(id)];
    if (before === undefined || after === undefined) return false;
    const point = mainArgumentOf(before);
    return point === undefined || names(mainArgumentOf(after) ?? '', point);
  };
  const standsUnderItsHeading = ({ message: index, text }: AtomContext) => {
    const original = prefix[index] as Message;
    const sources = [
      ...resultsHolding(original, text).map((id) => calls.get(id)),
      ...toolCallsOf(original),
    ].filter((call) => call !== undefined);
    return sectioned.some(
      (section) =>
        section.text.includes(text) &&
        ((original.role !== 'tool' && section.heading.includes(original.role)) ||
          sources.some((call) => namesCall(section.heading, call))),
    );
  };
  return (context) => standsInItsMessage(context) || standsUnderItsHeading(context);
}

function callsOf(messages: readonly Message[]): Map<string, ToolCallPart> {
  return new Map(messages.flatMap(toolCallsOf).map((call) => [call.toolCallId, call]));
}

/** The calls whose results, in this message, hold a text. */
function resultsHolding(message: Message, text: string): string[] {
  return partsOf(message).flatMap((part) =>
    part.type === 'tool-result' && partText(part)?.includes(text) === true ? [part.toolCallId] : [],
  );
}

function namesCall(headingText: string, call: ToolCallPart): boolean {
  if (!headingText.includes(call.toolName.toLowerCase())) return false;
  const point = mainArgumentOf(call);
  return point === undefined || names(headingText, point);
}

/** Line breaks and case may differ. */
function names(text: string, point: string): boolean {
  const [in_, of] = [text, point].map((one) => one.toLowerCase().replace(/\s+/g, ' ').trim()) as [
    string,
    string,
  ];
  return in_.includes(of.slice(0, namedLength)) || in_.includes(of.slice(-namedLength));
}

/** The parts of a text that stand under a heading. */
function sectionsOf(text: string): { readonly heading: string; readonly text: string }[] {
  const headings = [...text.matchAll(heading)];
  return headings.map((found, index) => ({
    heading: found[0].toLowerCase(),
    text: text.slice(found.index + found[0].length, headings[index + 1]?.index ?? text.length),
  }));
}
