import {
  type CompressionRecord,
  type ContextManager,
  type Message,
  messageText,
  outputText,
  partsOf,
  type ToolCallPart,
} from '@ctx/core';
import { type ExcerptSection, excerptSections, isExcerpt } from '@ctx/excerpt';
import { deepFreeze, managerOf, type PlanningOptions } from '@ctx/testing';
import { type RelevanceOptions, relevance } from '../src/index.js';

export interface Compressed {
  readonly manager: ContextManager;
  readonly view: readonly Message[];
  readonly record: CompressionRecord | undefined;
  /** The text of the excerpt; empty if there is none. */
  readonly excerpt: string;
  readonly sections: readonly ExcerptSection[];
  /** The messages that the excerpt is made from. */
  readonly left: readonly Message[];
  readonly tokens: number;
}

type Options = Omit<PlanningOptions, 'targetTokens'> & { readonly options?: Partial<RelevanceOptions> };

/** Compresses a conversation once. A token is a word. */
export async function compressed(
  messages: readonly Message[],
  targetTokens: number,
  { options = {}, ...planning }: Options = {},
): Promise<Compressed> {
  return compressAgain(managerOf(deepFreeze(messages), planning), targetTokens, options);
}

/** Compresses the conversation of a manager once more. */
export async function compressAgain(
  manager: ContextManager,
  targetTokens: number,
  options: Partial<RelevanceOptions> = {},
): Promise<Compressed> {
  const { record } = await manager.compress({ strategy: relevance(options), targetTokens });
  const view = manager.view();
  const excerpt = excerptIn(view);
  const shown = new Set(view);
  return {
    manager,
    view,
    record,
    excerpt,
    sections: excerptSections(excerpt),
    left: manager.transcript.map(({ message }) => message).filter((message) => !shown.has(message)),
    tokens: manager.stats().countedTokens,
  };
}

export function excerptIn(view: readonly Message[]): string {
  const texts = view.filter(({ role }) => role === 'user').map(messageText);
  return texts.find(isExcerpt) ?? '';
}

/** Text that may be under a heading, and the beginning of that heading. */
export interface Source {
  readonly heading: string;
  readonly texts: readonly string[];
}

/** Who said what, in order, determined without the strategy's code. A call is together with its result. */
export function sourcesIn(messages: readonly Message[]): Source[] {
  return messages.flatMap((message, index): Source[] => {
    if (message.role === 'system' || message.role === 'tool') return [];
    const said = partsOf(message)
      .flatMap((part) =>
        part.type === 'text'
          ? [part.text]
          : part.type === 'image' || part.type === 'file'
            ? [`[${part.type}]`]
            : [],
      )
      .join('\n');
    const speaker = message.summary === true ? 'summary' : message.role;
    const calls = partsOf(message).flatMap((part): Source[] =>
      part.type === 'tool-call'
        ? [{ heading: part.toolName, texts: [...leaves(part.input), ...resultOf(messages, index, part)] }]
        : [],
    );
    return [...(said === '' ? [] : [{ heading: speaker, texts: [said] }]), ...calls];
  });
}

function resultOf(messages: readonly Message[], index: number, { toolCallId }: ToolCallPart): string[] {
  for (const message of messages.slice(index + 1)) {
    if (message.role !== 'tool') return [];
    for (const part of message.content) if (part.toolCallId === toolCallId) return [outputText(part.output)];
  }
  return [];
}

function leaves(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.values(value).flatMap(leaves);
}

/** The lines of a section that are neither blank nor the mark of a gap. */
export function linesIn({ text }: ExcerptSection): string[] {
  return text.split('\n').filter((line) => line.trim() !== '' && line !== '…');
}

/** Expects that sections match their sources: the same order, the right heading, and every line word for word. */
export function expectFrom(sections: readonly ExcerptSection[], sources: readonly Source[]): void {
  let next = 0;
  for (const section of sections) {
    if (section.heading === 'user' || section.heading === 'assistant') {
      next = afterTurns(section, sources, next);
      continue;
    }
    const found = sources.findIndex((source, index) => index >= next && isOf(section, source));
    if (found < 0) throw new Error(`Nobody said this, or not in this order: ${JSON.stringify(section)}`);
    next = found + 1;
  }
}

/** Expects that every line is from a message of the speaker, in order. Several messages of one speaker may share a heading. */
function afterTurns(section: ExcerptSection, sources: readonly Source[], from: number): number {
  let at = from;
  for (const line of linesIn(section)) {
    const found = sources.findIndex(
      ({ heading, texts }, index) =>
        index >= at && heading === section.heading && texts.some((text) => text.includes(line)),
    );
    if (found < 0) throw new Error(`Nobody said this, or not in this order: ${JSON.stringify(line)}`);
    at = found;
  }
  return linesIn(section).length === 0 ? from : at + 1;
}

function isOf(section: ExcerptSection, { heading, texts }: Source): boolean {
  const isHeaded = section.heading === heading || section.heading.startsWith(`${heading} `);
  return isHeaded && linesIn(section).every((line) => texts.some((text) => text.includes(line)));
}
