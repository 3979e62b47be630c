import { anthropicCodec } from '@ctx/codec-anthropic';
import { openaiCodec } from '@ctx/codec-openai';
import {
  bpeCounter,
  type Message,
  MessageCounter,
  type ModelId,
  messageText,
  strategyNames,
  type TokenCounter,
} from '@ctx/core';
import { createContextManager, defaults, presetFor } from '@ctx/presets';

type Encoding = Parameters<typeof bpeCounter>[0];

/** The stages that the presets choose for the session's model, in order. */
export const defaultPipeline = 'default pipeline';
/** The candidates: every strategy by its registered name, and the presets' pipeline. */
export const compared: readonly string[] = [...strategyNames(defaults()), defaultPipeline];
/** Shares of a session's tokens to compress it to. */
export const shares = [0.5, 0.25] as const;

export interface Measurement {
  readonly strategy: string;
  /** For a strategy made of strategies: the one that planned. */
  readonly chosen: string | undefined;
  readonly share: number;
  /** Tokens of the whole request. */
  readonly tokensBefore: number;
  readonly targetTokens: number;
  readonly tokensAfter: number;
  readonly messagesBefore: number;
  readonly messagesKept: number;
  readonly userMessages: number;
  readonly userMessagesVerbatim: number;
  /** Messages of the user that score 70 or more. */
  readonly instructions: number;
  readonly instructionsVerbatim: number;
  readonly validOpenai: boolean;
  readonly validAnthropic: boolean;
}

const counters = new Map<Encoding | undefined, TokenCounter>();

/** One for each encoding, which remembers texts: every strategy and every share has the same ones to count. */
async function counterFor(encoding: Encoding | undefined): Promise<TokenCounter> {
  const known = counters.get(encoding);
  if (known !== undefined) return known;
  const texts = new MessageCounter(bpeCounter(encoding));
  await texts.load();
  const counter = { count: (text: string) => texts.text(text) };
  counters.set(encoding, counter);
  return counter;
}

/** Compresses a conversation with one strategy to a share of its tokens, with the model's settings. */
export async function measure(
  messages: readonly Message[],
  { strategy, share, model }: { strategy: string; share: number; model: ModelId },
): Promise<Measurement> {
  const now = messages.findLast(({ createdAt }) => createdAt !== undefined)?.createdAt;
  const preset = presetFor(model);
  const counter = await counterFor(preset.encoding);
  const managerIn = (contextWindow: number | undefined) => {
    const config = { leadingUser: true, ...(contextWindow !== undefined && { contextWindow }) };
    const clock = now === undefined ? {} : { now: () => now };
    const manager = createContextManager({ ...model, config, counter, ...clock });
    for (const message of messages) manager.append(message);
    return manager;
  };
  const inWindow = managerIn(preset.contextWindow);
  const { currentTokens: size, maxTokens } = inWindow.stats();
  // A target forces nothing on a session that is larger than the window of its model.
  const manager = size > maxTokens ? managerIn(size) : inWindow;
  const { countedTokens: tokensBefore, currentTokens, messages: messagesBefore } = manager.stats();
  const targetTokens = Math.floor(currentTokens * share);

  const stage = strategy === defaultPipeline ? {} : { strategy };
  const { record } = await manager.compress({ ...stage, targetTokens });
  const view = manager.view();
  const { instructions, instructionsKept } = manager.metrics();
  // Word for word, whether as a message of its own or within an excerpt.
  const shown = view.map(messageText).join('\n');
  const users = messages.filter((message) => message.role === 'user' && message.summary !== true);
  return {
    strategy,
    chosen: strategy === defaultPipeline ? undefined : record?.chosen,
    share,
    tokensBefore,
    targetTokens: Math.floor(tokensBefore * share),
    tokensAfter: manager.stats().countedTokens,
    messagesBefore,
    messagesKept: manager.stats().messages,
    userMessages: users.length,
    userMessagesVerbatim: users.filter((message) => shown.includes(messageText(message))).length,
    instructions,
    instructionsVerbatim: instructionsKept,
    validOpenai: openaiCodec.validate(openaiCodec.fromMessages(view)).length === 0,
    validAnthropic: anthropicCodec.validate(anthropicCodec.fromMessages(view)).length === 0,
  };
}

/** What is added up over several conversations. */
const sums = [
  'tokensBefore',
  'targetTokens',
  'tokensAfter',
  'messagesBefore',
  'messagesKept',
  'userMessages',
  'userMessagesVerbatim',
  'instructions',
  'instructionsVerbatim',
] as const;

/** Combines several measurements of one strategy and share: sums, and valid if all are. */
export function total(measurements: readonly [Measurement, ...Measurement[]]): Measurement {
  const sum = (field: (typeof sums)[number]) => measurements.reduce((all, one) => all + one[field], 0);
  const chosen = new Set(measurements.map((one) => one.chosen).filter((name) => name !== undefined));
  return {
    ...measurements[0],
    ...Object.fromEntries(sums.map((field) => [field, sum(field)])),
    chosen: chosen.size === 0 ? undefined : [...chosen].join(' or '),
    validOpenai: measurements.every((one) => one.validOpenai),
    validAnthropic: measurements.every((one) => one.validAnthropic),
  };
}
