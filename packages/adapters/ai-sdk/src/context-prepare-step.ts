import { type AnyModelMessage, modelMessageCodec } from '@ctx/codec-ai-sdk';
import {
  Conversations,
  type ConversationsOptions,
  reportedUsage,
  type Turn,
  Warnings,
} from '@ctx/conversation';
import { makerOf } from './call.js';
import { type SummaryLanguageModel, summaryModel } from './summary-model.js';

export interface ContextPrepareStepOptions extends ConversationsOptions {
  /**
   * The key of the conversation that a step belongs to.
   * @default the longest history that it has in common with a known conversation
   */
  readonly conversation?: ((step: StepOptions<AnyModelMessage>) => string | undefined) | undefined;
  /** As in `contextMiddleware`. @default none */
  readonly summarize?: SummaryLanguageModel | undefined;
  /** What each request holds besides the messages: tool definitions and system prompt. @default what reported usage says of them */
  readonly tools?: unknown;
}

interface PreparedStep<Message> {
  messages: Message[];
}

/** Is a `PrepareStepFunction` of the AI SDK, in each of the versions 5 to 7. */
export type ContextPrepareStep = <Message extends AnyModelMessage>(
  step: StepOptions<Message>,
) => Promise<PreparedStep<Message>>;

type History = readonly AnyModelMessage[];

/**
 * A `prepareStep` for `generateText`, `streamText` and agents, which keeps each conversation inside the window of its model. It can't send a
 * smaller request after the provider refused one: for that use `contextMiddleware`. Whatever ctx fails to do is sent unchanged.
 */
export function contextPrepareStep(options: ContextPrepareStepOptions = {}): ContextPrepareStep {
  const { conversation: keyOf, tools, summarize, ...rest } = options;
  const summarizer = summarize && summaryModel(summarize);
  const warnings = new Warnings(rest.onWarning);
  const conversations = new Conversations<History>(modelMessageCodec, rest, warnings);
  /** The turn of the last step of each run, by the list of its steps. */
  const turns = new WeakMap<object, Turn<History>>();

  return async (step) => {
    const history = wholeHistory(step);
    const { steps, model, instructions } = step;
    await warnings.attempt(async () => turns.get(steps)?.answered(reportedUsage(steps.at(-1))));
    const turn = await warnings.attempt(async () => {
      const named = keyOf?.({ ...step, messages: history });
      return conversations.turn(history, {
        ...(typeof model === 'string'
          ? { model }
          : { provider: makerOf(model.provider), model: model.modelId }),
        tools: instructions === undefined ? tools : [instructions, tools],
        summarize: summarizer,
        ...(named !== undefined && { key: named, scope: named }),
      });
    });
    const messages = await warnings.attempt(async () => turn?.prepare());
    if (turn !== undefined) turns.set(steps, turn);
    return { messages: (messages === undefined ? history : [...messages]) as typeof history };
  };
}

/** What ctx reads of the options of `prepareStep`, in versions 5 to 7. */
interface StepOptions<Message> {
  /** In version 7 what earlier steps returned, with what came since. */
  readonly messages: readonly Message[];
  readonly steps: readonly StepResult[];
  readonly model: string | { readonly provider: string; readonly modelId: string };
  /** Version 7 only. */
  readonly initialMessages?: readonly Message[] | undefined;
  /** Version 7 only. */
  readonly responseMessages?: readonly AnyModelMessage[] | undefined;
  /** Version 7 only: what the user said while the last step ran. */
  readonly experimental_steeringMessages?: readonly AnyModelMessage[] | undefined;
  /** Version 7 only. */
  readonly instructions?: unknown;
}

interface StepResult {
  readonly usage: { readonly inputTokens?: number | undefined };
  readonly response: { readonly messages?: readonly AnyModelMessage[] | undefined };
  readonly experimental_steeringMessages?: readonly AnyModelMessage[] | undefined;
}

/**
 * Everything that was said, in order and once. Where the SDK carries returned messages over to the next step it gives the original ones
 * apart; what a user said between two steps is in neither list then.
 */
function wholeHistory<Message extends AnyModelMessage>(step: StepOptions<Message>): Message[] {
  const { initialMessages, responseMessages, experimental_steeringMessages: newest = [] } = step;
  if (initialMessages === undefined || responseMessages === undefined) return [...step.messages];
  const ofSteps = step.steps.map(({ response, experimental_steeringMessages: said = [] }) => ({
    said,
    answered: response.messages?.length ?? 0,
  }));
  const beforeSteps = responseMessages.length - ofSteps.reduce((sum, { answered }) => sum + answered, 0);
  const history: AnyModelMessage[] = [...initialMessages, ...responseMessages.slice(0, beforeSteps)];
  let at = beforeSteps;
  for (const { said, answered } of ofSteps) {
    history.push(...said, ...responseMessages.slice(at, at + answered));
    at += answered;
  }
  return [...history, ...newest] as Message[];
}
