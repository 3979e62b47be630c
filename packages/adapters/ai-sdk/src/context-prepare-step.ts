import { type AnyModelMessage, modelMessageCodec } from '@ctx/codec-ai-sdk';
import { Conversations, type ConversationsOptions, Warnings } from '@ctx/conversation';
import { GuardedTurn, unlessItFails } from './guarded-turn.js';
import { makerOf } from './maker.js';
import { type SummaryLanguageModel, summaryModel } from './summary-model.js';
import { type StepOptions, wholeHistory } from './whole-history.js';

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
  const turns = new WeakMap<object, GuardedTurn<History>>();

  return async (step) => {
    const history = wholeHistory(step);
    const { steps, model, instructions } = step;
    await turns.get(steps)?.answered(steps.at(-1));
    const turn = await unlessItFails(warnings, async () => {
      const named = keyOf?.({ ...step, messages: history });
      const found = await conversations.turn(history, {
        ...(typeof model === 'string'
          ? { model }
          : { provider: makerOf(model.provider), model: model.modelId }),
        tools: instructions === undefined ? tools : [instructions, tools],
        summarize: summarizer,
        ...(named !== undefined && { key: named, scope: named }),
      });
      return new GuardedTurn(found, warnings, undefined);
    });
    const messages = await turn?.prepared();
    if (turn !== undefined) {
      turns.set(steps, turn);
      await turn.answered(undefined);
    }
    return { messages: (messages === undefined ? history : [...messages]) as typeof history };
  };
}
