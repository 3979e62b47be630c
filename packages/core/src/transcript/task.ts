import { type Message, messageText, partsOf, toolCallsOf } from './message.js';
import { isWrittenByProgram, noTexts, personsWords, type TextsWithoutTask } from './persons-words.js';
import { isStrayResult } from './results-in-place.js';

export interface Placed {
  readonly index: number;
  readonly message: Message;
}

/**
 * Finds the user message that the work at hand is for, as messages are said. It is the newest message that a person wrote, with two exceptions:
 * one that comes while the assistant is at work, and one that only says to go on.
 */
export class TaskFinder<Said extends Placed> {
  task: Said | undefined;
  /** The message of the assistant that the user has answered in a word or two, which says nothing without it. */
  question: Said | undefined;
  /** What the user or the assistant said last, with the position of the newest message. */
  #last: { readonly index: number; readonly said: Said } | undefined;
  /** Whether the newest messages are the user's, and the first of them set a task. */
  #isSetting = false;

  #isByProgram = false;

  constructor(readonly without: TextsWithoutTask = noTexts) {}

  add(said: Said): void {
    const { index, message } = said;
    const last = this.#last?.index === index - 1 ? this.#last.said : undefined;
    const isUsers = message.role === 'user';
    const words = isUsers ? personsWords(message, this.without.isAgentText) : '';
    const isByProgram = isUsers && isWrittenByProgram(message, words);
    const isSummary = message.summary === true;
    const isSkipped = message.role === 'system' || isSummary || isStrayResult(message) || isByProgram;
    if (isSkipped && (!isUsers || isSummary || this.task !== undefined)) {
      // Neither said it: what comes next follows what they said before.
      this.#last = last && { index, said: last };
      return;
    }
    this.#last = { index, said };
    if (isUsers) this.#addUser(said, last, words);
    if (this.task === said) this.#isByProgram = isByProgram;
  }

  #addUser(said: Said, last: Said | undefined, words: string): void {
    const { message } = said;
    const isFirst = this.task === undefined || this.#isByProgram;
    if (last?.message.role === 'user' && !isFirst) {
      // A text under a first line in brackets is an excerpt that another program keeps.
      const isNote = /^\[[^\]\n]*\]\n/.test(messageText(message).trim());
      if (this.#isSetting && !isNote) this.task = said;
      return;
    }
    const isLastWord = last?.message.role === 'assistant' && toolCallsOf(last.message).length === 0;
    const answered = isLastWord ? last : undefined;
    const isShowing = partsOf(message).some(({ type }) => type === 'image' || type === 'file');
    this.#isSetting =
      isFirst || (answered !== undefined && (isShowing || !onlyNods(words, this.without.isNod)));
    if (this.#isSetting) this.task = said;
    const keepsQuestion =
      answered !== undefined &&
      question.test(messageText(answered.message).slice(-lastUnits)) &&
      (!this.#isSetting || words.trim().split(/\s+/).length <= fewWords);
    if (this.#isSetting || keepsQuestion) this.question = keepsQuestion ? answered : undefined;
  }
}

/** Words of a message that says no more than that the work should go on. `registerNods` adds those of other languages. */
const english = new Set(
  `ok okay k kk yes yep yeah yup sure please thanks thank you good great perfect nice cool fine agreed approved correct right exactly absolutely
  definitely then so go on ahead continue keep going proceed carry do it that this try again next resume lgtm looks look sounds sound
  by all means of course i agree confirm confirmed`.split(/\s+/),
);

/** True if a text says no more than that the work should go on: "Yes, go on." */
function onlyNods(text: string, isNod: (word: string) => boolean): boolean {
  const said = text.toLowerCase().split(/[^\p{L}\p{M}]+/u);
  return said.every((word) => word === '' || english.has(word) || isNod(word));
}

/** Words of an answer that says nothing without its question. */
const fewWords = 3;

/** UTF-16 units at the end of a message in which its question stands. */
const lastUnits = 400;
const question = /[?？؟]|\b(?:let me know|tell me)\b/i;
