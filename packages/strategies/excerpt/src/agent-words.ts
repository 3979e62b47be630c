import { perSection, type Section } from './sections.js';
import { sizes } from './weights.js';

/** Words before what is announced, and beginnings of sentences with which agents announce their next call, in a few languages. */
const fillers = new Set(
  'ok okay good great perfect excellent now next first then so and alright sure done jetzt nun also ahora bien maintenant'.split(
    ' ',
  ),
);
const announcing =
  /^(?:let me|let['’]s|let us|i['’]ll|i will|i['’]m (?:going to|now|reading|checking|running|looking)|i (?:need|want|should) to|going to|to (?:do|see)|time to|(?:add|build|check|commit|create|fix|implement|remove|run|test|update|verify|write) (?:a|all|an|it|the|them|these|this)\b|got it|i (?:now )?(?:have (?:all|enough|everything|a (?:clear|complete|full|good|thorough))|understand)\b|checking|running|reading|looking|waiting|still (?:running|waiting|building|in progress)|lass mich|ich (?:werde|prüfe|lese|schaue|sehe)|je vais|voy a|déjame|vou|现在|接下来|让我|我来|我将|我会|我需要|先|まず|次に|確認)/;

/** Whether a text says nothing but what the agent is about to do, or that it waits. */
function isAnnouncement(text: string): boolean {
  const said = text.trim();
  if (said.length > sizes.line || said.includes('\n\n')) return false;
  return sentencesOf(said).every((sentence) => {
    const words = sentence.trim().toLowerCase().split(/\s+/);
    const first = words.findIndex((word) => !fillers.has(word.replace(/[,.:!—–-]/g, '')));
    return /[:：]$/.test(sentence) || first < 0 || announcing.test(words.slice(first).join(' '));
  });
}

/** The sentences of a text, each with the space before it. */
function sentencesOf(text: string): string[] {
  const ends = [...text.matchAll(/\S+/g)].flatMap(({ 0: word, index }) =>
    /[.!?:…。！？]$/.test(word) ? [index + word.length] : [],
  );
  return [0, ...ends].map((start, at) => text.slice(start, ends[at])).filter((said) => said.trim() !== '');
}

/** A short text without the sentences at its end that announce the next call. */
function withoutAnnouncement(text: string): string {
  let said = text.trim();
  if (said.length > sizes.line) return text;
  for (const sentence of sentencesOf(said).reverse()) {
    if (!isAnnouncement(sentence)) break;
    said = said.slice(0, said.length - sentence.length).trimEnd();
  }
  return said;
}

/** What a section of the agent's says: undefined of one that says nothing but what comes next. */
export const spokenIn = perSection(({ blocks }: Section): string | undefined => {
  const text = withoutAnnouncement(blocks[0]?.text ?? '');
  return text.trim() === '' ? undefined : text;
});

/** Two short texts say the same if they have the same words. */
const wordsOf = (text: string): string =>
  text.length > sizes.line
    ? text
    : [...new Set(text.toLowerCase().match(/[\p{L}_]{2,}/gu) ?? [])].sort().join(' ');

/**
 * The positions of what the agent said, newest first, without what only announces the next call and what it said again in the same words
 * later.
 */
export function agentWords(sections: readonly Section[], isTalk: readonly boolean[]): number[] {
  const said = new Map<string, number>();
  for (let position = sections.length - 1; position >= 0; position -= 1) {
    const section = sections[position] as Section;
    if (section.kind !== 'assistant' || isTalk[position] === true) continue;
    const text = spokenIn(section);
    const words = text === undefined ? undefined : wordsOf(text);
    if (words !== undefined && !said.has(words)) said.set(words, position);
  }
  return [...said.values()];
}
