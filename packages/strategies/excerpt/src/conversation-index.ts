import type { Message, Steps } from '@ctx/core';
import { type Form, Forms } from './forms.js';
import { type Section, SectionReader } from './sections.js';
import { TermUse } from './term-use.js';
import { TermIndex } from './terms/term-index.js';
import { type Unit, unitsOf } from './units.js';

/** What is read in a step: messages, or about as many UTF-16 units of their texts. */
const stepMessages = 8;
const stepLength = 2_000;
/** Units whose terms are counted in a step. */
const stepUnits = 500;

/** A section with its units and terms. */
export interface ReadSection {
  readonly section: Section;
  /** The units of its blocks, in order. */
  readonly units: readonly Unit[];
  /** The terms of its heading. */
  readonly headingTerms: readonly number[];
}

/**
 * Everything said in a conversation, divided into sections and units, with the use of each term. It grows with the conversation: reading
 * goes on where it stopped, so what was read once is not read again.
 */
export class ConversationIndex {
  readonly terms = new TermIndex();
  readonly use = new TermUse();
  readonly #forms = new Forms();
  readonly #headings = new Forms();
  readonly #reader = new SectionReader();
  readonly #messages: Message[] = [];
  readonly #sections: Growing[] = [];
  /** The calls that may still get a result. */
  readonly #open = new Map<Section, Growing>();
  /** For each message that has been read, the number of sections begun before it. */
  readonly #starts: number[] = [];
  #isReading = false;
  /** The length of what has been read since the last pause. */
  #unpaused = 0;

  /** In the order in which they were begun. */
  get sections(): readonly ReadSection[] {
    return this.#sections;
  }

  /** The first message that has been read. */
  get first(): Message | undefined {
    return this.#messages[0];
  }

  /** Whether these messages begin with those that have been read, so that they can be read with this index. */
  isBeginningOf(messages: readonly Message[]): boolean {
    return (
      !this.#isReading &&
      this.#messages.length <= messages.length &&
      this.#messages.every((message, index) => message === messages[index])
    );
  }

  /**
   * Reads the messages that have not been read. The others must be those that have been read, in the same order. If it is stopped, the
   * index cannot be used any more.
   */
  *read(messages: readonly Message[]): Steps<void> {
    this.#isReading = true;
    for (let index = this.#messages.length; index < messages.length; index += 1) {
      const message = messages[index] as Message;
      // The first messages take longer, because nothing is compiled yet.
      if (index < stepMessages || index % stepMessages === 0) yield;
      this.#starts.push(this.#sections.length);
      for (const section of this.#reader.read(message, index)) {
        const answered = this.#open.get(section);
        this.#open.delete(section);
        const place = answered ?? this.#begun(section);
        yield* this.#divide(place);
        if (answered === undefined) this.use.add(place.headingTerms, { message: index, voice: 'agent' });
      }
      this.#messages.push(message);
    }
    this.#isReading = false;
  }

  /** A factor on the worth of a section's heading, 0–1, which is small for one of many headings that differ in nothing but numbers and ids. */
  headingWeight(position: number): number {
    const place = this.#sections[position] as Growing;
    return place.headingForm.weightOf(place);
  }

  /**
   * The terms of what a message says and of the calls that it makes, with their results, in a few lists. A term is in them once for each
   * unit that has it.
   */
  termsOf(message: number): (readonly number[])[] {
    const { length } = this.#sections;
    return this.#sections
      .slice(this.#starts[message] ?? length, this.#starts[message + 1] ?? length)
      .flatMap(({ headingTerms, units }) => [headingTerms, ...units.map(({ terms }) => terms)]);
  }

  #begun(section: Section): Growing {
    const { heading } = section;
    const headingTerms = this.terms.idsOf(heading);
    const headingForm = this.#headings.of(heading);
    const place: Growing = { section, units: [], headingTerms, headingForm, blocks: 0 };
    headingForm.count(place);
    this.#sections.push(place);
    if (section.call !== undefined) this.#open.set(section, place);
    return place;
  }

  /** Divides the blocks of a section that are new. */
  *#divide(place: Growing): Steps<void> {
    const { blocks } = place.section;
    for (; place.blocks < blocks.length; place.blocks += 1) {
      const block = blocks[place.blocks] as Section['blocks'][number];
      const units = yield* unitsOf(block, place.blocks, this.terms, this.#forms);
      for (const [at, { terms }] of units.entries()) {
        if (at % stepUnits === stepUnits - 1) yield;
        this.use.add(terms, block);
      }
      this.#unpaused += block.text.length;
      if (this.#unpaused > stepLength) {
        this.#unpaused = 0;
        yield;
      }
      // A new list, because somebody may be choosing from the old one.
      place.units = [...place.units, ...units];
    }
  }
}

interface Growing extends ReadSection {
  units: readonly Unit[];
  readonly headingForm: Form;
  /** The number of blocks that have been divided. */
  blocks: number;
}

/** What has been read of each conversation, by its first message. */
const indexes = new WeakMap<Message, ConversationIndex>();

/**
 * The index of the conversation that begins with these messages. All that ask for it share it, and read only what is new. Messages must
 * not change after they were read.
 */
export function indexOfConversation(messages: readonly Message[]): ConversationIndex {
  const [first] = messages;
  if (first === undefined) return new ConversationIndex();
  const known = indexes.get(first);
  const isKnown = known?.isBeginningOf(messages) === true;
  const index = isKnown ? known : new ConversationIndex();
  indexes.set(first, index);
  return index;
}
