import { Conversations, type ConversationsOptions, Warnings } from '@ctx/conversation';
import type { CallModelInputFilter, CallModelInputFilterArgs, ModelInputData } from '@openai/agents';
import { agentsCodec } from './agents-codec.js';
import { declared, modelNameOf } from './model-and-tools.js';

export interface ContextInputFilterOptions extends ConversationsOptions {
  /** The name of the model. @default that of the agent */
  readonly model?: string | undefined;
  /**
   * The key of the conversation that a call belongs to.
   * @default the longest history that it has in common with a known conversation
   */
  readonly conversation?: ((args: CallModelInputFilterArgs) => string | undefined) | undefined;
}

/**
 * A `callModelInputFilter` that keeps each conversation inside the window of its model. Untouched items are the same objects, and what the
 * run and its session hold stays whole. A filter sees neither the answer nor the error of the model: `contextModel` does.
 */
export function contextInputFilter(options: ContextInputFilterOptions = {}): CallModelInputFilter {
  const { conversation: keyOf, model, ...rest } = options;
  const warnings = new Warnings(rest.onWarning);
  const conversations = new Conversations<ModelInputData>(agentsCodec, rest, warnings);

  const filter = async (args: CallModelInputFilterArgs): Promise<ModelInputData> => {
    const { modelData, agent } = args;
    const prepared = await warnings.attempt(async () => {
      const named = keyOf?.(args);
      const turn = await conversations.turn(modelData, {
        model: model ?? modelNameOf(agent.model),
        tools: declared([...agent.tools, ...agent.handoffs.filter((one) => 'toolName' in one)]),
        ...(named !== undefined && { scope: named, key: named }),
      });
      const { input } = await turn.prepare();
      await turn.answered(undefined);
      return { ...modelData, input };
    });
    return prepared ?? modelData;
  };
  return Object.assign(filter, { preserveInputIdentity: true });
}
