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
import { titleOf } from './call-title.js';
import { excerptSections, isExcerpt, withoutIntro } from './excerpt-text.js';

/** A text that stands under a heading. */
export interface Block {
  readonly text: string;
  /** Position of its message in the transcript. */
  readonly message: number;
  readonly voice: Voice;
  /** The call that a tool's text answers. */
  readonly call?: ToolCallPart | undefined;
}

/** Who says something: the agent, by words and calls, the user, or a tool. */
export type Voice = 'agent' | 'user' | 'tool';

/** What stands under one heading: what somebody said, or a call with its result. */
export interface Section {
  readonly heading: string;
  readonly blocks: readonly Block[];
  /** `user`: a message of the user; `summary`: one that tells of others; `failure`: a result that tells of a failure. */
  readonly kind: 'user' | 'assistant' | 'summary' | 'call' | 'failure';
}

interface Numbered {
  readonly message: Message;
  readonly index: number;
}

/** By `callKey`: a host may put the same object of a call into its conversation twice. */
type Results = ReadonlyMap<string, { readonly part: ToolResultPart; readonly index: number }>;

const failedMark = ' (failed)';

/** Divides messages into sections, in order. A result stands with its call. */
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

/** An id may be used again later: a result answers the newest call with its id. */
function resultsOf(messages: readonly Numbered[]): Results {
  const results = new Map<string, { part: ToolResultPart; index: number }>();
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
 * A host may have made one message of an excerpt and what the user said after it. Only an excerpt that still says it is a
 * summary is taken apart: what looks like one may be pasted, and its headings would make words of the user of it.
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
  return [...excerpts, { heading: 'user', blocks: [{ text, message: index, voice: 'user' }], kind: 'user' }];
}

function summarySection(text: string, index: number): Section {
  return { heading: 'summary', blocks: [{ text, message: index, voice: 'user' }], kind: 'summary' };
}

function excerptedSections(excerpt: string, index: number): Section[] {
  return excerptSections(excerpt).map(({ heading, text }) => ({
    heading,
    blocks: [{ text, message: index, voice: voices[heading] ?? 'tool' }],
    kind: kinds[heading] ?? (heading.endsWith(failedMark) ? 'failure' : 'call'),
  }));
}

const voices: Readonly<Record<string, Voice>> = { user: 'user', summary: 'user', assistant: 'agent' };
const kinds: Readonly<Record<string, Section['kind']>> = {
  user: 'user',
  summary: 'summary',
  assistant: 'assistant',
};

function assistantSections(message: Message, index: number, results: Results): Section[] {
  const said = textOf(partsOf(message));
  const sections: Section[] = [];
  if (said !== '')
    sections.push({
      heading: 'assistant',
      blocks: [{ text: said, message: index, voice: 'agent' }],
      kind: 'assistant',
    });
  for (const part of partsOf(message)) {
    if (part.type !== 'tool-call') continue;
    const { title, rest } = titleOf(part);
    const blocks: Block[] = rest.map((text) => ({ text, message: index, voice: 'agent' }));
    const result = results.get(callKey(index, part));
    const failed = result !== undefined && isErrorResult(result.part);
    const output = result === undefined ? '' : textOfOutput(result.part.output);
    if (output !== '')
      blocks.push({ text: output, message: result?.index ?? index, voice: 'tool', call: part });
    // That it was called is told even where nothing else is to tell.
    if (blocks.length === 0) blocks.push({ text: '', message: index, voice: 'agent' });
    sections.push({
      heading: failed ? `${title}${failedMark}` : title,
      blocks,
      kind: failed ? 'failure' : 'call',
    });
  }
  return sections;
}

function textOfOutput(output: ToolOutput): string {
  return typeof output !== 'string' && output.type === 'content' ? textOf(output.value) : outputText(output);
}

/** What parts say in words; that there was an image or a file is said too. */
function textOf(parts: readonly Part[]): string {
  return parts
    .flatMap((part) => {
      if (part.type === 'text') return [part.text];
      return part.type === 'image' || part.type === 'file' ? [`[${part.type}]`] : [];
    })
    .join('\n');
}
