import { type Message, messageText } from '@ctx/core';
import { factsOf } from './facts.js';
import { sentencesOf, termsOf } from './sentences.js';

export interface ExtractOptions {
  readonly maxTokens: number;
  tokensOf(text: string): number;
  /** The number that a message is quoted by. @default its position, counted from 1 */
  numberOf?(message: Message, position: number): number;
}

export interface Extract {
  readonly text: string;
  /** Sentences in it, and of how many they were chosen. */
  readonly kept: number;
  readonly of: number;
}

interface Candidate {
  readonly text: string;
  readonly position: number;
  readonly section: Section;
  readonly terms: ReadonlySet<string>;
  readonly tokens: number;
  /** How much a term is worth where this speaker says it. */
  readonly weight: number;
}

type Section = 'earlier' | 'asked' | 'done' | 'files' | 'ran' | 'seen';

const headings: Readonly<Record<Section, string>> = {
  earlier: 'From the summary before',
  asked: 'What the user said',
  done: 'What was done and decided',
  files: 'Files',
  ran: 'Commands',
  seen: 'What went wrong',
};
const sectionWeight: Readonly<Record<Section, number>> = {
  earlier: 2,
  asked: 2.5,
  done: 1,
  files: 1,
  ran: 0.8,
  seen: 1.5,
};
/** Words with which somebody decides, finds out or concludes, in some languages. */
const decides =
  /\b(decid|because|instead|must|should|root cause|fixed|found|turns out|works|fails|next|todo|entschied|weil|donc|porque)\w*/i;
const maxCandidates = 6000;
const maxPerMessage = 60;

/**
 * A summary without a model: sentences of the conversation, word for word, with the numbers of their messages. Chosen greedily by what
 * they newly cover of the conversation's own terms for their tokens, in the manner of budgeted maximum coverage (Khuller, Moss, Naor 1999;
 * Lin, Bilmes 2011), evaluated lazily (Minoux 1978). Here it also matters who says a term, so the bound that those prove does not
 * carry over. The same conversation gives the same summary.
 */
export function extractiveSummary(messages: readonly Message[], options: ExtractOptions): Extract {
  const { tokensOf, maxTokens } = options;
  const candidates = candidatesOf(messages, options);
  const weights = termWeights(candidates);
  const overhead = Object.values(headings).reduce(
    (sum, heading) => sum + tokensOf(`\n\n### ${heading}\n`),
    0,
  );
  const chosen = choose(candidates, weights, maxTokens - overhead);
  const lines = chosen.toSorted((a, b) => a.position - b.position);
  const sections = (Object.keys(headings) as Section[]).flatMap((section) => {
    const own = lines.filter((line) => line.section === section);
    return own.length === 0 ? [] : [`### ${headings[section]}\n${own.map(({ text }) => text).join('\n')}`];
  });
  return { text: sections.join('\n\n'), kept: chosen.length, of: candidates.length };
}

function candidatesOf(messages: readonly Message[], options: ExtractOptions): Candidate[] {
  const { tokensOf, numberOf = (_message, position) => position + 1 } = options;
  const seen = new Set<string>();
  const candidates: Candidate[] = [];
  const add = (sentence: string, position: number, section: Section) => {
    const quoted = section === 'earlier' ? /^\(#\d+\)/.exec(sentence)?.[0] : undefined;
    const number = numberOf(messages[position] as Message, position);
    const bare = quoted === undefined ? sentence : sentence.slice(quoted.length).trim();
    if (seen.has(bare) || candidates.length >= maxCandidates) return;
    seen.add(bare);
    const text = `- ${quoted ?? `(#${number})`} ${bare}`;
    const weight = sectionWeight[section] * (decides.test(bare) ? 1.3 : 1);
    candidates.push({ text, position, section, terms: termsOf(bare), tokens: tokensOf(`${text}\n`), weight });
  };
  const { errors, commands, filesWritten, filesRead } = factsOf(messages);
  for (const { text, at, resolved } of errors) if (!resolved) add(text, at, 'seen');
  for (const { text, at, ok } of commands)
    add(`\`${firstLine(text)}\` ${ok ? 'worked' : 'failed'}`, at, 'ran');
  for (const { text, at } of filesWritten) add(`${text} was changed`, at, 'files');
  const written = new Set(filesWritten.map(({ text }) => text));
  for (const { text, at } of filesRead) if (!written.has(text)) add(`${text} was read`, at, 'files');
  for (const [position, message] of messages.entries()) {
    const section = sectionOf(message);
    if (section === undefined) continue;
    const sentences = sentencesOf(messageText(message));
    const some =
      sentences.length <= maxPerMessage
        ? sentences
        : [...sentences.slice(0, maxPerMessage / 2), ...sentences.slice(-maxPerMessage / 2)];
    for (const sentence of some) add(sentence, position, section);
  }
  return candidates;
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n', 1);
  return line.length < text.length ? `${line} …` : line;
}

function sectionOf({ role, summary }: Message): Section | undefined {
  if (summary === true) return 'earlier';
  if (role === 'user') return 'asked';
  return role === 'assistant' ? 'done' : undefined;
}

/** A term is worth more the more sentences say it, and nothing where nearly all do or one alone does in passing. */
function termWeights(candidates: readonly Candidate[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { terms } of candidates) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const common = Math.max(3, candidates.length * 0.2);
  return new Map(
    [...counts].map(([term, count]) => {
      const isName = /[_$./\d]/.test(term);
      if (count > common) return [term, 0];
      return [term, (isName ? 2 : 1) * Math.log2(1 + count)];
    }),
  );
}

function choose(
  candidates: readonly Candidate[],
  weights: ReadonlyMap<string, number>,
  maxTokens: number,
): Candidate[] {
  const covered = new Set<string>();
  const gainOf = ({ terms, tokens, weight }: Candidate) => {
    let gain = 0;
    for (const term of terms) if (!covered.has(term)) gain += weights.get(term) ?? 0;
    return (weight * gain) / Math.max(1, tokens);
  };
  const queue = candidates
    .filter(({ tokens }) => tokens <= maxTokens)
    .map((candidate) => ({ candidate, gain: gainOf(candidate) }))
    .toSorted((a, b) => a.gain - b.gain);
  const chosen: Candidate[] = [];
  let left = maxTokens;
  for (let best = queue.pop(); best !== undefined && left > 0; best = queue.pop()) {
    const gain = gainOf(best.candidate);
    // A gain only falls as more is covered: where it still leads, nothing else has to be looked at.
    if (gain < (queue.at(-1)?.gain ?? 0)) {
      insert(queue, { candidate: best.candidate, gain });
      continue;
    }
    if (gain === 0) break;
    if (best.candidate.tokens > left) continue;
    left -= best.candidate.tokens;
    chosen.push(best.candidate);
    for (const term of best.candidate.terms) covered.add(term);
  }
  return chosen;
}

function insert<Entry extends { readonly gain: number }>(queue: Entry[], entry: Entry): void {
  let [low, high] = [0, queue.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((queue[middle] as Entry).gain < entry.gain) low = middle + 1;
    else high = middle;
  }
  queue.splice(low, 0, entry);
}
