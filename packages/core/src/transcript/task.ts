import { type Message, messageText, toolCallsOf } from './message.js';
import { isStrayResult } from './results-in-place.js';

/** A message and its position in the transcript. */
export interface Placed {
  readonly index: number;
  readonly message: Message;
}

/** Words of a message that says no more than that the work should go on. */
const nods = new Set(
  'ok okay yes sure please thanks thank you good great perfect then go on ahead continue keep going proceed carry do it try again next resume lgtm weiter ja bitte mach sigue sí 好的 好 继续 请继续 可以 是的 続けて はい'.split(
    ' ',
  ),
);

/**
 * Finds the user message that the work at hand is for, as messages are said. It is the newest user message, with three exceptions: one
 * that comes while the assistant is at work, one that only says to go on, and one of several in a row that a program wrote.
 */
export class TaskFinder<Said extends Placed> {
  /** The task; undefined if the user has said nothing. */
  task: Said | undefined;
  /** What the user or the assistant said last, with the position of the newest message. */
  #last: Placed | undefined;
  /** Whether the newest messages are the user's, and the first of them set a task. */
  #isSetting = false;

  add(said: Said): void {
    const { index, message } = said;
    const last = this.#last?.index === index - 1 ? this.#last : undefined;
    if (message.role === 'system' || message.summary === true || isStrayResult(message)) {
      // Neither said it: what comes next follows what they said before.
      this.#last = last && { index, message: last.message };
      return;
    }
    this.#last = said;
    if (message.role !== 'user') return;
    if (last?.message.role === 'user') {
      if (this.#isSetting && !isWrittenByProgram(message)) this.task = said;
      return;
    }
    this.#isSetting =
      this.task === undefined || (last !== undefined && endsWork(last.message) && !onlyNods(message));
    if (this.#isSetting) this.task = said;
  }
}

/** Whether the assistant has said its last word on a task. */
function endsWork(message: Message): boolean {
  return message.role === 'assistant' && toolCallsOf(message).length === 0;
}

function onlyNods(message: Message): boolean {
  const words = messageText(message)
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  return words.every((word) => word === '' || nods.has(word));
}

/**
 * Whether all of a text stands in one element, as in `<environment_context>…</environment_context>`, or under a first line in brackets, as an
 * excerpt that another program keeps.
 */
function isWrittenByProgram(message: Message): boolean {
  const text = messageText(message).trim();
  const name = /^<([\w-]{1,60})[\s>]/.exec(text)?.[1];
  return text === '' || (name === undefined ? /^\[[^\]\n]*\]\n/.test(text) : text.endsWith(`</${name}>`));
}
