import { seededRandom } from '@ctx/core';
import type { Chat, ChatQuestion, Turn } from './chat.js';
import languages from './chat-languages.json' with { type: 'json' };

/** What chats in a language are made of. `{person}` in a sentence stands for one of the words of that slot. */
interface ChatLanguage {
  readonly name: string;
  readonly speakers: readonly string[];
  /** Between two sentences. */
  readonly space: string;
  /** `person` has no word twice, and no two facts of a chat are about the same person. */
  readonly slots: Readonly<Record<string, readonly string[]>>;
  readonly facts: readonly FactTemplate[];
  /** Sentences that say nothing anybody asks about later. */
  readonly openings: readonly string[];
  readonly remarks: readonly string[];
  readonly reactions: readonly string[];
  readonly questions: readonly string[];
}

interface FactTemplate {
  /** One sentence for each turn in which a part of the fact is told. */
  readonly tells: readonly string[];
  readonly asks: string;
  readonly answer: string;
}

/** In turns: long enough that a plain window loses most facts, and quick to measure. */
const usualTurns = 400;

/**
 * Long chats of two people, one in each language, with facts among small talk, and a question about each fact. They are made from
 * templates: a check that a method works for chats in several languages at all, not a measure to tune for. The same seed gives the same
 * chats.
 */
export function madeChats({ seed = 1, turns = usualTurns } = {}): Chat[] {
  return languages.map((language) => chatIn(language, turns, seed));
}

interface Fact {
  readonly template: FactTemplate;
  readonly words: Readonly<Record<string, string>>;
}

function chatIn(language: ChatLanguage, count: number, seed: number): Chat {
  const random = seededRandom(seed);
  const one = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const facts = (language.slots.person ?? []).map((person, index): Fact => {
    const chosen = Object.entries(language.slots).map(([slot, words]) => [slot, one(words)]);
    const template = language.facts[index % language.facts.length] as FactTemplate;
    return { template, words: { ...Object.fromEntries(chosen), person } };
  });
  const told = placesOf(facts, count, random);
  const turns = Array.from({ length: count }, (_, index): Turn => {
    const tale = told.get(index);
    const sentences =
      tale !== undefined
        ? [one(language.openings), tale]
        : index % 2 === 0
          ? [one(language.openings), one(language.remarks)]
          : [one(language.reactions), one(language.questions)];
    const speaker = language.speakers[index % 2] as string;
    return { id: String(index), speaker, text: sentences.join(language.space) };
  });
  const questions = facts.map(({ template, words }): ChatQuestion => {
    const tales = new Set(template.tells.map((tell) => filled(tell, words)));
    const evidence = [...told].filter(([, tale]) => tales.has(tale)).map(([index]) => String(index));
    return { question: filled(template.asks, words), answer: filled(template.answer, words), evidence };
  });
  return { id: `made, ${language.name}`, source: 'made', turns, questions };
}

/** Puts each sentence of each fact into a turn of its own; those of one fact in order. */
function placesOf(facts: readonly Fact[], count: number, random: () => number): Map<number, string> {
  const free = Array.from({ length: count }, (_, index) => index);
  const told = new Map<number, string>();
  for (const { template, words } of facts) {
    const places = template.tells
      .map(() => free.splice(Math.floor(random() * free.length), 1)[0] as number)
      .sort((a, b) => a - b);
    for (const [index, tell] of template.tells.entries())
      told.set(places[index] as number, filled(tell, words));
  }
  return told;
}

function filled(template: string, words: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (slot, name: string) => words[name] ?? slot);
}
