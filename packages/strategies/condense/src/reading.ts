import { type Message, messageText, toolCallsOf } from '@ctx/core';
import { type Instruction, instructionOf } from './instruction.js';
import { openPointsIn } from './open-points.js';
import { type Outcome, outcomeOf } from './outcome.js';

const readings = new WeakMap<Message, Reading>();

/** Reads a message. Messages never change, so each is read once, even if it is summarised several times. */
export function readingOf(message: Message): Reading {
  const known = readings.get(message);
  if (known !== undefined) return known;
  const reading = new Reading(message);
  readings.set(message, reading);
  return reading;
}

export class Reading {
  readonly #message: Message;
  readonly calls: ReturnType<typeof toolCallsOf>;
  #openPoints: readonly string[] | 'none' | undefined;
  #outcomes: { readonly caller: Reading; readonly outcomes: readonly Outcome[] } | undefined;
  #instruction: { readonly by: string; readonly found: Instruction | undefined } | undefined;
  #said: string | undefined;

  constructor(message: Message) {
    this.#message = message;
    this.calls = toolCallsOf(message);
  }

  get openPoints(): readonly string[] | undefined {
    this.#openPoints ??= openPointsIn(this.#message) ?? 'none';
    return this.#openPoints === 'none' ? undefined : this.#openPoints;
  }

  /** The outcomes of the calls that its results answer. */
  outcomesFor(caller: Reading): readonly Outcome[] {
    if (this.#message.role !== 'tool') return [];
    if (this.#outcomes?.caller === caller) return this.#outcomes.outcomes;
    const calls = new Map(caller.calls.map((call) => [call.toolCallId, call]));
    const results = this.#message.content;
    const outcomes = results.flatMap((result) => {
      const call = calls.get(result.toolCallId);
      return call === undefined ? [] : [outcomeOf(call, result)];
    });
    this.#outcomes = { caller, outcomes };
    return outcomes;
  }

  /** The instruction in it, if it has one. Remembered until the threshold or, with another tokenizer, the number of tokens changes. */
  instruction(rules: {
    readonly threshold: number;
    tokensOf(text: string): number;
  }): Instruction | undefined {
    if (this.#message.role !== 'user') return undefined;
    this.#said ??= messageText(this.#message).trim();
    const by = `${rules.threshold} ${rules.tokensOf(this.#said)}`;
    if (this.#instruction?.by !== by) this.#instruction = { by, found: instructionOf(this.#message, rules) };
    return this.#instruction.found;
  }
}
