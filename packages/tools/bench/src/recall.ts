import { anthropicCodec } from '@ctx/codec-anthropic';
import { openaiCodec } from '@ctx/codec-openai';
import type { Message } from '@ctx/core';
import { occursIn } from './atoms.js';
import { totalTokens } from './count-tokens.js';
import type { Cut } from './cuts.js';
import { readerOf } from './passages.js';
import { textOf } from './spoken.js';

/** How good a compression of a cut's prefix is. Shares are 0–100. */
export interface Recall {
  /** Needed atoms that survive, at word boundaries. Older reports call it `frr`, the recall of what is referred to. */
  readonly survival: number;
  /** Needed atoms that survive with 24 characters of their line on either side. */
  readonly ctx: number;
  /** `ctx`, or 0 if the result is over the budget or not valid for Anthropic: what a user really gets. */
  readonly usableCtx: number;
  /**
   * Needed atoms whose whole line survives, with the line before it and the line after it; of a line over 300 characters, 150 on either
   * side. 0 if the result is over the budget or not valid for Anthropic.
   */
  readonly usablePassage: number;
  /** `survival` of the atoms that were last seen before the newest 30 % of the prefix; undefined if there are none. */
  readonly far: number | undefined;
  /** The user's messages that survive word for word; undefined if there are none. */
  readonly instructions: number | undefined;
  readonly tokens: number;
  readonly inBudget: boolean;
  readonly validOpenai: boolean;
  readonly validAnthropic: boolean;
  /** The needed atoms that do not survive in context. */
  readonly lost: readonly string[];
}

export interface RecallOptions {
  /** Tokens, including the system prompt's. */
  readonly budget: number;
  /** The same counter for all candidates. */
  tokensOf(message: Message): number;
}

/** A share of the prefix. Every method keeps the newest messages, so only the older ones distinguish methods. */
const newestShare = 0.3;

/** Measures a compressed prefix by what the agent really used next. */
export function recallOf(
  cut: Cut,
  compressed: readonly Message[],
  { budget, tokensOf }: RecallOptions,
): Recall {
  const text = compressed.map(textOf).join('\n');
  const present = new Set(cut.needed.filter(({ atom }) => occursIn(atom, text)));
  const inContext = [...present].filter(({ contexts }) => contexts.some((one) => text.includes(one)));
  const finds = readerOf(compressed);
  const whole = cut.needed.filter(({ passages }) => passages.some(finds));
  const border = newestFrom(cut, tokensOf);
  const far = cut.needed.filter(({ heldAt }) => (heldAt.at(-1) ?? 0) < border);
  const tokens = totalTokens(compressed, tokensOf);
  const validAnthropic = anthropicCodec.validate(anthropicCodec.fromMessages(compressed)).length === 0;
  const ctx = percent(inContext.length, cut.needed.length) ?? 0;
  const inBudget = tokens <= budget;
  const usable = inBudget && validAnthropic;
  return {
    survival: percent(present.size, cut.needed.length) ?? 0,
    ctx,
    usableCtx: usable ? ctx : 0,
    usablePassage: usable ? (percent(whole.length, cut.needed.length) ?? 0) : 0,
    far: percent(far.filter((needed) => present.has(needed)).length, far.length),
    instructions: instructionShare(cut.prefix, text),
    tokens,
    inBudget,
    validOpenai: openaiCodec.validate(openaiCodec.fromMessages(compressed)).length === 0,
    validAnthropic,
    lost: cut.needed
      .filter((needed) => !needed.contexts.some((one) => text.includes(one)))
      .map(({ atom }) => atom),
  };
}

function percent(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : (100 * part) / whole;
}

/** The position at which the newest share of the prefix's tokens begins. */
function newestFrom({ prefix, prefixTokens }: Cut, tokensOf: (message: Message) => number): number {
  let left = prefixTokens * newestShare;
  for (let index = prefix.length - 1; index >= 0; index -= 1) {
    const message = prefix[index] as Message;
    if (message.role !== 'system') left -= tokensOf(message);
    if (left <= 0) return index;
  }
  return 0;
}

function instructionShare(prefix: readonly Message[], text: string): number | undefined {
  const said = prefix.filter(({ role, summary }) => role === 'user' && summary !== true).map(textOf);
  return percent(said.filter((one) => occursIn(one, text)).length, said.length);
}
