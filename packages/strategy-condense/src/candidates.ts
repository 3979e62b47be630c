import { type Message, messageText } from '@ctx/core';
import type { Fact } from './facts.js';
import type { History } from './history.js';
import type { Line } from './line.js';
import type { Lines } from './lines.js';
import type { Reading } from './reading.js';
import { Haystack } from './search.js';
import { linesOfSummary, type Section } from './sections.js';
import { firstAndNewest, mostOfOne } from './selection.js';
import { sentencesOf } from './sentences.js';

/** A line that may be part of a summary. */
export interface Candidate {
  readonly text: string;
  /** The position of its message. */
  readonly position: number;
  /** Its number among all lines. */
  readonly order: number;
  readonly section: Section;
  readonly terms: ReadonlySet<string>;
  readonly tokens: number;
  /** A factor on the worth of its terms, which depends on the section and on whether the line states a decision. */
  readonly weight: number;
}

const sectionWeight: Readonly<Record<Section, number>> = {
  earlier: 2,
  asked: 2.5,
  done: 1,
  found: 0.5,
  files: 1,
  ran: 0.8,
  seen: 1.5,
};

/** The most candidates of each kind, because the time to choose grows with their number. */
const maxSentences = 6000;
const maxPassages = 3000;
/** The most facts of each kind. */
const maxFacts = 1000;

export interface CandidateOptions {
  tokensOf(text: string): number;
  /** The number with which a message is quoted. @default its position, counted from 1 */
  numberOf?(message: Message, position: number): number;
  /** Text that is appended to the summary word for word. Its sentences do not become candidates. */
  readonly quoted?: string | undefined;
}

/** The candidates from messages and facts (`said`), and from passages of tool results (`found`). No line occurs twice. */
export function candidatesOf(history: History, options: CandidateOptions) {
  const { messages, readings, outcomes, facts } = history;
  const { tokensOf, numberOf = (_message, position) => position + 1, quoted = '' } = options;
  const beside = quoted === '' ? undefined : new Haystack(quoted);
  const seen = new Set<string>();
  const said: Candidate[] = [];
  const found: Candidate[] = [];
  const add = ({ bare, terms, isDecision, quotedBy }: Line, position: number, section: Section) => {
    if (seen.has(bare.text) || beside?.holds(bare)) return;
    seen.add(bare.text);
    const { text, withBreak } = quotedBy(numberOf(messages[position] as Message, position));
    const weight = sectionWeight[section] * (isDecision ? 1.3 : 1);
    const fields = { position, order: seen.size, section, terms, weight };
    (section === 'found' ? found : said).push({ text, tokens: tokensOf(withBreak), ...fields });
  };
  const addAbout = (text: string, position: number, section: Section) =>
    add((readings[position] as Reading).lineAbout(text), position, section);
  const { errors, commands, filesWritten, filesRead } = facts;
  const addFacts = <F extends Fact>(some: readonly F[], section: Section, textOf: (fact: F) => string) => {
    for (const fact of firstAndNewest(some, maxFacts)) addAbout(textOf(fact), fact.at, section);
  };
  const open = errors.filter(({ resolved }) => !resolved);
  addFacts(open, 'seen', ({ text }) => text);
  addFacts(commands, 'ran', ({ text, ok }) => `\`${firstLine(text)}\` ${ok ? 'worked' : 'failed'}`);
  addFacts(filesWritten, 'files', ({ text }) => `${text} was changed`);
  const written = new Set(filesWritten.map(({ text }) => text));
  const onlyRead = filesRead.filter(({ text }) => !written.has(text));
  addFacts(onlyRead, 'files', ({ text }) => `${text} was read`);
  for (const [position, message] of messages.entries()) {
    if (message.summary !== true) continue;
    for (const { section, line } of linesOfSummary(messageText(message)))
      for (const one of line.startsWith('- (#') ? [line.slice(2)] : sentencesOf(line))
        addAbout(one, position, section);
  }
  const prose = messages.flatMap((message, position) => {
    const section = sectionOf(message);
    if (section === undefined) return [];
    return [{ section, position, lines: (readings[position] as Reading).sentences }];
  });
  const passages = outcomes
    .filter(({ outcome }) => outcome.error === undefined)
    .map(({ outcome, at }) => ({ section: 'found' as const, position: at, lines: outcome.passages }));
  for (const { section, position, lines } of [
    ...evenly(prose, maxSentences),
    ...evenly(passages, maxPassages),
  ])
    for (const line of lines) add(line, position, section);
  return { said, found };
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n', 1);
  return line.length < text.length ? `${line} …` : line;
}

function sectionOf({ role, summary }: Message): Section | undefined {
  if (summary === true) return undefined;
  if (role === 'user') return 'asked';
  return role === 'assistant' ? 'done' : undefined;
}

/**
 * At most `most` lines in all, and at most 60 of each source, taken from its start and its end. If there are more sources than `most`,
 * takes a third from the oldest and the rest from the newest, and does not read the others.
 */
function evenly<Source extends { readonly lines: Lines }>(sources: readonly Source[], most: number) {
  const some = firstAndNewest(sources, most);
  let limit = mostOfOne;
  const total = () => some.reduce((sum, { lines }) => sum + Math.min(lines.count, limit), 0);
  while (limit > 1 && total() > most) limit = Math.floor(limit / 2);
  return some.map((source) => ({ ...source, lines: source.lines.take(limit) }));
}
