import type { Section } from './sections.js';
import { longestAnnouncement, sameWords } from './weights.js';

/** Beginnings of sentences with which agents announce their next call, in a few languages. */
const announcing =
  /^(?:(?:ok(?:ay)?|good|great|perfect|now|next|first|then|so|and|alright|sure|done|jetzt|nun|also|ahora|bien|maintenant|现在|接下来|好的?|次に)[\s,.:!—–-]*)*(?:let me|let['’]s|i['’]ll|i will|i['’]m (?:going to|now|reading|checking|running|looking)|i (?:need|want|should) to|going to|now to|time to|checking|running|reading|looking|waiting|still (?:running|waiting|building|in progress)|lass mich|ich (?:werde|prüfe|lese|schaue|sehe)|je vais|voy a|déjame|vou|let us|让我|我(?:来|将|会|需要|先)|先|まず|確認)/iu;

/** Whether a text says nothing but what the agent is about to do, or that it waits. */
export function isAnnouncement(text: string): boolean {
  const said = text.trim();
  if (said.length > longestAnnouncement || said.includes('\n\n')) return false;
  const sentences = said.split(/(?<=[.!?:…。！？])\s+|\n/u).filter((one) => one.trim() !== '');
  return sentences.every((one) => announcing.test(one.trim()) || /[:：]$/.test(one.trim()));
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
    if (text.length <= longestAnnouncement && said.some((newer) => overlap(words, newer.words) >= sameWords))
      continue;
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
