import {
  type CompressionRecord,
  type ContextManager,
  type Message,
  messageText,
  outputText,
  partsOf,
  type ToolCallPart,
} from '@ctx/core';
import { withoutEncoded } from '@ctx/core/kit';
import { excerptSections, isExcerpt, outlineHeading, trailHeading } from '@ctx/excerpt';
import { deepFreeze, managerOf, type PlanningOptions } from '@ctx/testing';
import { relevance } from '../src/index.js';
import type { RelevanceOptions } from '../src/options.js';

type ExcerptSection = ReturnType<typeof excerptSections>[number];

export interface Compressed {
  readonly manager: ContextManager;
  readonly view: readonly Message[];
  readonly record: CompressionRecord | undefined;
  /** The text of the first excerpt; empty if there is none. */
  readonly excerpt: string;
  /** The texts of all excerpts, in order. */
  readonly excerpts: readonly string[];
  /** The sections of all excerpts, without what was done. */
  readonly sections: readonly ExcerptSection[];
  /** The lines that say what was done. */
  readonly trail: readonly string[];
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
  const excerpts = excerptsIn(view);
  const shown = new Set(view);
  return {
    manager,
    view,
    record,
    excerpt: excerpts[0] ?? '',
    excerpts,
    sections: excerpts.flatMap(saidIn),
    trail: excerpts.flatMap(trailIn),
    left: manager.transcript.map(({ message }) => message).filter((message) => !shown.has(message)),
    tokens: manager.stats().countedTokens,
  };
}

/** Options for a window of this size, all of which the messages may fill. */
export function inWindow(contextWindow: number): Pick<Options, 'contextWindow' | 'config'> {
  return { contextWindow, config: { reserve: 0 } };
}

/** The mark at the end of a text that does not fit into the window. */
export const unreadMark =
  /\[… (\d+) lines? left out, because they do not fit into the window: read them in parts …\]$/;

export function excerptsIn(view: readonly Message[]): string[] {
  const texts = view.filter(({ role }) => role === 'user').map(messageText);
  return texts.filter(isExcerpt);
}

export function excerptIn(view: readonly Message[]): string {
  return excerptsIn(view)[0] ?? '';
}

/** The sections of an excerpt that give what was said word for word. */
export function saidIn(excerpt: string): ExcerptSection[] {
  return excerptSections(excerpt).filter(
    ({ heading }) => heading !== trailHeading && heading !== outlineHeading,
  );
}

/** The lines of an excerpt that say what was done. */
export function trailIn(excerpt: string): string[] {
  const [first, ...others] = excerptSections(excerpt);
  if (others.some(({ heading }) => heading === trailHeading))
    throw new Error('What was done is said twice, or late.');
  return first?.heading === trailHeading ? first.text.split('\n') : [];
}

/** The lines of an excerpt that say what files define. */
function outlineIn(excerpt: string): string[] {
  return excerptSections(excerpt).flatMap(({ heading, text }) =>
    heading === outlineHeading ? text.split('\n') : [],
  );
}

/** Expects that each name stands in a text that a call wrote or printed, with its file. */
function expectDefined(outline: readonly string[], said: readonly Message[]): void {
  const texts = JSON.stringify(said);
  for (const line of outline) {
    const [path = '', names = ''] = line.split(': ');
    for (const name of [path, ...names.replace(/, … \d+ more$/, '').split(', ')])
      if (!texts.includes(name)) throw new Error(`Nobody said ${name}: ${line}`);
  }
}

/**
 * Expects that each excerpt of a view gives, word for word and in order, what was said between the user's messages around it, and that it
 * says of nothing that it was done which was not done there.
 */
export function expectWordForWord({ manager, view }: Pick<Compressed, 'manager' | 'view'>): void {
  const said = manager.transcript.map(({ message }) => message);
  for (const [at, message] of view.entries()) {
    if (message.role !== 'user' || !isExcerpt(messageText(message))) continue;
    const places = (some: readonly Message[]) =>
      some.filter(({ role }) => role === 'user').map((one) => said.indexOf(one));
    const from = Math.max(-1, ...places(view.slice(0, at)));
    const to = Math.min(...places(view.slice(at + 1)).filter((place) => place >= 0), said.length);
    const between = said.slice(from + 1, to);
    expectFrom(saidIn(messageText(message)), sourcesIn(between));
    expectDone(trailIn(messageText(message)), between, said);
    expectDefined(outlineIn(messageText(message)), said);
  }
}

const knownWords =
  /^(?:earlier, not listed: .*|edited|wrote|deleted|moved|committed|ran|asked|failed:|last run of \w+ \(|paths below)|\(\d+ times\)|\bexit code \d+|ended with an error;|no output|\(and \d+ more such lines\)|and \d+ more|, before the newest edits|…/g;

/** Expects that lines on what was done consist of what is in calls and their results there, and of plans and of what was said anywhere. */
function expectDone(lines: readonly string[], messages: readonly Message[], all: readonly Message[]): void {
  const flat = (texts: readonly string[]) => texts.join('\n').replace(/\s+/g, ' ');
  const calls = flat(sourcesIn(messages).flatMap(({ heading, texts }) => [heading, ...texts]));
  const anything = flat(sourcesIn(all).flatMap(({ heading, texts }) => [heading, ...texts]));
  for (const line of lines) {
    if (/^the newest plan or to-do list|^the plan from before|^\(\d+ more, mostly done\)$/.test(line))
      continue;
    const said =
      /^(?:the agent said last: |the agent asked: |the user answered: |\[[x> ]\] )(.*?)(?: …)?$/.exec(
        line,
      )?.[1];
    if (said !== undefined) expect(anything).toContain(said);
    // A message that a here-document holds has quotes of the trail's around it.
    else
      for (const word of line.replace(knownWords, ' ').split(/[\s,]+/))
        expect(calls).toContain(word.replace(/^["(]|["();:]+$/g, ''));
  }
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
        ? [
            {
              heading: part.toolName,
              texts: [...leaves(part.input), ...resultOf(messages, index, part)].map(shown),
            },
          ]
        : [],
    );
    // What a program printed in the user's name has a heading of its own.
    const [, printedBy] = /^<([\w-]*(?:stdout|output|hook)[\w-]*)>/i.exec(said) ?? [];
    const heading = message.role === 'user' ? (printedBy ?? speaker) : speaker;
    return [...(said === '' ? [] : [{ heading, texts: [shown(said)] }]), ...calls];
  });
}

/** A text without what no reader needs: encoded data, and the colours of a terminal. */
function shown(text: string): string {
  return withoutEncoded(text).replace(colours, '');
}

const colourMark = '\u001b';
const colours = new RegExp(`${colourMark}\\[[\\d;]*m`, 'g');

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
  // Of an edit that only takes away, the old text is shown.
  const lines = linesIn(section).map((line) => line.replace(/^\(removed\) /, ''));
  return isHeaded && lines.every((line) => texts.some((text) => text.includes(line)));
}
