import {
  isErrorResult,
  type Message,
  outputText,
  type Part,
  partsOf,
  type ToolCallPart,
  type ToolOutput,
  type ToolResultPart,
} from '@ctx/core';
import { mediaMark } from '@ctx/core/kit';
import { titleOf } from './call-title.js';
import { excerptSections, isExcerpt, withoutIntro } from './excerpt-text.js';

/** A text under a heading. */
export interface Block {
  readonly text: string;
  /** Position of its message in the transcript. */
  readonly message: number;
  readonly voice: Voice;
  /** The call whose result this is. */
  readonly call?: ToolCallPart | undefined;
}

/** Who wrote a text: the agent (in messages and calls), the user, or a tool. */
export type Voice = 'agent' | 'user' | 'tool';

/** A heading with its texts: a message, or a call with its result. */
export interface Section {
  /** Who spoke, or what was called. */
  readonly title: string;
  /** The title, with a mark if the call failed. */
  readonly heading: string;
  readonly blocks: readonly Block[];
  /** `user` and `assistant`: a message; `summary`: a message that summarises others; `call`: a call; `failure`: a call that failed. */
  readonly kind: 'user' | 'assistant' | 'summary' | 'call' | 'failure';
}

interface Numbered {
  readonly message: Message;
  readonly index: number;
}

interface Result {
  readonly part: ToolResultPart;
  readonly index: number;
}

/** Results by `callKey`. The call object itself is no key, because a host may use the same object twice. */
type Results = ReadonlyMap<string, Result>;

const failedMark = ' (failed)';

/** Divides messages into sections, in order. A result is in the section of its call. */
export function sectionsOf(messages: readonly Numbered[]): Section[] {
  const results = resultsOf(messages);
  return messages.flatMap(({ message, index }): Section[] => {
    switch (message.role) {
      case 'system':
      case 'tool':
        return [];
      case 'user':
        return userSections(message, index);
      case 'assistant':
        return assistantSections(message, index, results);
      default:
        return message satisfies never;
    }
  });
}

/** Finds the result of each call. Ids may be reused, so a result belongs to the latest call before it with its id. */
function resultsOf(messages: readonly Numbered[]): Results {
  const results = new Map<string, Result>();
  const calls = new Map<string, string>();
  for (const { message, index } of messages) {
    for (const part of partsOf(message)) {
      if (part.type === 'tool-call') calls.set(part.toolCallId, callKey(index, part));
      if (part.type !== 'tool-result') continue;
      const call = calls.get(part.toolCallId);
      if (call !== undefined) results.set(call, { part, index });
    }
  }
  return results;
}

function callKey(index: number, { toolCallId }: ToolCallPart): string {
  return `${index} ${toolCallId}`;
}

/**
 * The sections of a user message. A host may have joined an excerpt with the user's next message. An excerpt is divided into its sections
 * only if the message is still marked as a summary: the headings of a pasted excerpt could attribute any text to the user.
 */
function userSections(message: Message, index: number): Section[] {
  const excerpts: Section[] = [];
  const parts = partsOf(message).filter((part) => {
    if (part.type !== 'text' || !isExcerpt(part.text)) return true;
    if (message.summary === true) excerpts.push(...excerptedSections(part.text, index));
    else excerpts.push(summarySection(withoutIntro(part.text), index));
    return false;
  });
  const text = textOf(parts);
  if (text === '') return excerpts;
  if (message.summary === true) return [...excerpts, summarySection(text, index)];
  return [...excerpts, spokenSection('user', { text, message: index, voice: 'user' })];
}

function summarySection(text: string, index: number): Section {
  return spokenSection('summary', { text, message: index, voice: 'user' });
}

function spokenSection(kind: 'user' | 'assistant' | 'summary', block: Block): Section {
  return { title: kind, heading: kind, blocks: [block], kind };
}

/** The sections of an excerpt whose original messages are gone, read from its text. */
function excerptedSections(excerpt: string, index: number): Section[] {
  return excerptSections(excerpt).map(({ heading, text }) => {
    const block: Block = { text, message: index, voice: voices[heading] ?? 'tool' };
    if (heading === 'user' || heading === 'assistant' || heading === 'summary')
      return spokenSection(heading, block);
    const failed = heading.endsWith(failedMark);
    const title = failed ? heading.slice(0, -failedMark.length) : heading;
    return { title, heading, blocks: [block], kind: failed ? 'failure' : 'call' };
  });
}

const voices: Readonly<Record<string, Voice>> = { user: 'user', summary: 'user', assistant: 'agent' };

function assistantSections(message: Message, index: number, results: Results): Section[] {
  const text = textOf(partsOf(message));
  const calls = partsOf(message).flatMap((part) =>
    part.type === 'tool-call' ? [callSection(part, index, results.get(callKey(index, part)))] : [],
  );
  return text === ''
    ? calls
    : [spokenSection('assistant', { text, message: index, voice: 'agent' }), ...calls];
}

function callSection(call: ToolCallPart, index: number, result: Result | undefined): Section {
  const { title, rest } = titleOf(call);
  const blocks: Block[] = rest.map((text) => ({ text, message: index, voice: 'agent' }));
  const failed = result !== undefined && isErrorResult(result.part);
  const output = result === undefined ? '' : textOfOutput(result.part.output);
  if (output !== '') blocks.push({ text: output, message: result?.index ?? index, voice: 'tool', call });
  // With an empty block, an excerpt can still show that the call was made.
  if (blocks.length === 0) blocks.push({ text: '', message: index, voice: 'agent' });
  return {
    title,
    heading: failed ? `${title}${failedMark}` : title,
    blocks,
    kind: failed ? 'failure' : 'call',
  };
}

function textOfOutput(output: ToolOutput): string {
  return typeof output !== 'string' && output.type === 'content' ? textOf(output.value) : outputText(output);
}

/** The texts of parts. An image becomes `[image screenshot.png]`, a file `[file spec.pdf]`. */
function textOf(parts: readonly Part[]): string {
  return parts
    .flatMap((part) => {
      if (part.type === 'text') return [part.text];
      return part.type === 'image' || part.type === 'file' ? [mediaMark(part)] : [];
    })
    .join('\n');
}
