import type { Section } from './sections.js';
import { longestAnnouncement, sameWords } from './weights.js';

/** Texts that one is compared with, those that came next. A limit. */
const mostCompared = 100;
/** Words before what is announced, and beginnings of sentences with which agents announce their next call, in a few languages. */
const fillers = new Set(
  'ok okay good great perfect now next first then so and alright sure done jetzt nun also ahora bien maintenant'.split(
    ' ',
  ),
);
const announcing =
  /^(?:let me|let['’]s|let us|i['’]ll|i will|i['’]m (?:going to|now|reading|checking|running|looking)|i (?:need|want|should) to|going to|to (?:do|see)|time to|checking|running|reading|looking|waiting|still (?:running|waiting|building|in progress)|lass mich|ich (?:werde|prüfe|lese|schaue|sehe)|je vais|voy a|déjame|vou|现在|接下来|让我|我来|我将|我会|我需要|先|まず|次に|確認)/;

/** Whether a text says nothing but what the agent is about to do, or that it waits. */
function isAnnouncement(text: string): boolean {
  const said = text.trim();
  if (said.length > longestAnnouncement || said.includes('\n\n')) return false;
  return sentencesOf(said).every((sentence) => {
    const words = sentence.toLowerCase().split(' ');
    const first = words.findIndex((word) => !fillers.has(word.replace(/[,.:!—–-]/g, '')));
    return /[:：]$/.test(sentence) || first < 0 || announcing.test(words.slice(first).join(' '));
  });
}

function sentencesOf(text: string): string[] {
  const sentences: string[][] = [[]];
  for (const word of text.split(/\s+/)) {
    sentences.at(-1)?.push(word);
    if (/[.!?:…。！？]$/.test(word)) sentences.push([]);
  }
  return sentences.flatMap((words) => (words.length === 0 ? [] : [words.join(' ')]));
}

/**
 * The positions of what the agent said, newest first, without what only announces the next call and what it said again in about the same
 * words later.
 */
export function agentWords(sections: readonly Section[], isTalk: readonly boolean[]): number[] {
  const said: { readonly position: number; readonly words: ReadonlySet<string> }[] = [];
  for (let position = sections.length - 1; position >= 0; position -= 1) {
    const { kind, blocks } = sections[position] as Section;
    if (kind !== 'assistant' || isTalk[position] === true) continue;
    const text = blocks[0]?.text ?? '';
    if (text.trim() === '' || isAnnouncement(text)) continue;
    const words = new Set(text.toLowerCase().match(/[\p{L}_]{2,}/gu) ?? []);
    const newer = text.length <= longestAnnouncement ? said.slice(-mostCompared) : [];
    if (newer.some((one) => overlap(words, one.words) >= sameWords)) continue;
    said.push({ position, words });
  }
  return said.map(({ position }) => position);
}

/** The share of words that two texts have in common, 0–1. */
function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size > 3 * one.size + 3) return 0;
  let common = 0;
  for (const word of one) if (other.has(word)) common += 1;
  return common / (one.size + other.size - common);
}
