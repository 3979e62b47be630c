import { type Message, messageText } from '@ctx/core';
import { factsOf } from './facts.js';
import { passagesOf } from './passages.js';
import { linesOfSummary, type Section } from './sections.js';
import { sentencesOf, termsOf } from './sentences.js';

/** A line that a summary may hold. */
export interface Candidate {
  readonly text: string;
  /** Of its message. */
  readonly position: number;
  /** Among all lines. */
  readonly order: number;
  readonly section: Section;
  readonly terms: ReadonlySet<string>;
  readonly tokens: number;
  /** How much a term is worth where this speaker says it. */
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

/** Words with which somebody decides, finds out or concludes, in some languages. */
const decides =
  /\b(decid|because|instead|must|should|root cause|fixed|found|turns out|works|fails|next|todo|entschied|weil|donc|porque)\w*/i;
/** The number that a line of an extracted summary begins with. */
const numbered = /^\(#\d+\)/;
/** A reader may take what stands after one of these for a line of its own; only line feeds are set in. */
const otherBreaks = /[\r\u2028\u2029]/g;
const maxSentences = 6000;
const maxPassages = 3000;
const maxPerMessage = 60;

export interface CandidateOptions {
  tokensOf(text: string): number;
  /** The number that a message is quoted by. @default its position, counted from 1 */
  numberOf?(message: Message, position: number): number;
  /** What stands beside the summary word for word; its sentences are not said twice. */
  readonly quoted?: string | undefined;
}

/** What was said, done and seen, line by line; and what tools returned, passage by passage. No line comes twice. */
export function candidatesOf(messages: readonly Message[], options: CandidateOptions) {
  const { tokensOf, numberOf = (_message, position) => position + 1, quoted = '' } = options;
  const seen = new Set<string>();
  const said: Candidate[] = [];
  const found: Candidate[] = [];
  const add = (original: string, position: number, section: Section) => {
    const sentence = original.replace(otherBreaks, ' ');
    const number = numbered.exec(sentence)?.[0];
    const isOfSummary = messages[position]?.summary === true;
    const bare = isOfSummary && number !== undefined ? sentence.slice(number.length).trim() : sentence;
    if (seen.has(bare) || (quoted !== '' && quoted.includes(bare))) return;
    seen.add(bare);
    const own = numberOf(messages[position] as Message, position);
    const text = `- ${isOfSummary && number !== undefined ? number : `(#${own})`} ${bare}`;
    const weight = sectionWeight[section] * (decides.test(bare) ? 1.3 : 1);
    const fields = { position, order: seen.size, section, terms: termsOf(bare), weight };
    (section === 'found' ? found : said).push({ text, tokens: tokensOf(`${text}\n`), ...fields });
  };
  const { errors, commands, filesWritten, filesRead } = factsOf(messages);
  for (const { text, at, resolved } of errors) if (!resolved) add(text, at, 'seen');
  for (const { text, at, ok } of commands)
    add(`\`${firstLine(text)}\` ${ok ? 'worked' : 'failed'}`, at, 'ran');
  for (const { text, at } of filesWritten) add(`${text} was changed`, at, 'files');
  const written = new Set(filesWritten.map(({ text }) => text));
  for (const { text, at } of filesRead) if (!written.has(text)) add(`${text} was read`, at, 'files');
  for (const [position, message] of messages.entries()) {
    if (message.summary !== true) continue;
    for (const { section, line } of linesOfSummary(messageText(message)))
      for (const one of line.startsWith('- (#') ? [line.slice(2)] : sentencesOf(line))
        add(one, position, section);
  }
  const prose = evenly(
    messages.flatMap((message, position) => {
      const section = sectionOf(message);
      return section === undefined ? [] : [{ section, position, lines: sentencesOf(messageText(message)) }];
    }),
    maxSentences,
  );
  for (const { section, position, lines } of prose) for (const line of lines) add(line, position, section);
  for (const { position, lines } of evenly(passagesOf(messages), maxPassages))
    for (const line of lines) add(line, position, 'found');
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
 * At most so many lines in all, and 60 of each source: its first and its last ones. Where there are more sources than lines, the first third
 * and the newest of them.
 */
function evenly<Source extends { readonly lines: readonly string[] }>(
  sources: readonly Source[],
  most: number,
): Source[] {
  const some =
    sources.length <= most
      ? sources
      : [...sources.slice(0, Math.floor(most / 3)), ...sources.slice(-Math.ceil((most * 2) / 3))];
  let limit = maxPerMessage;
  const total = () => some.reduce((sum, { lines }) => sum + Math.min(lines.length, limit), 0);
  while (limit > 1 && total() > most) limit = Math.floor(limit / 2);
  return some.map((source) => ({ ...source, lines: ends(source.lines, limit) }));
}

function ends(lines: readonly string[], most: number): readonly string[] {
  if (lines.length <= most) return lines;
  const tail = Math.floor(most / 2);
  return [...lines.slice(0, most - tail), ...lines.slice(lines.length - tail)];
}
