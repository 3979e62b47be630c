import { Conversations, type ConversationsOptions, Warnings } from '@ctx/conversation';
import type { Model, ModelInputData, ModelProvider, ModelRequest } from '@openai/agents';
import { agentsCodec } from './agents-codec.js';
import { ManagedModel } from './managed-model.js';
import { modelNameOf } from './model-and-tools.js';

export interface ContextModelOptions extends ConversationsOptions {
  /** The name of the model. @default the one that the provider is asked for, or that the model names */
  readonly model?: string | undefined;
  /**
   * The key of the conversation that a request belongs to.
   * @default the longest history that it has in common with a known conversation
   */
  readonly conversation?: ((request: ModelRequest) => string | undefined) | undefined;
}

/**
 * A model that keeps each conversation inside its window, and sends a smaller one if the provider says that it was too large. The run and its
 * session keep all items. Whatever ctx fails to do is sent unchanged, with a warning.
 */
export function contextModel(model: Model, options: ContextModelOptions = {}): Model {
  return modelsFor(options)(model, modelNameOf(model));
}

/** A provider whose models are as `contextModel` makes them; they share what they know of the conversations. */
export function contextProvider(provider: ModelProvider, options: ContextModelOptions = {}): ModelProvider {
  const managed = modelsFor(options);
  const known = new WeakMap<Model, Model>();
  return {
    getModel: async (name) => {
      const model = await provider.getModel(name);
      const ours = known.get(model) ?? managed(model, name ?? modelNameOf(model));
      known.set(model, ours);
      return ours;
    },
  };
}

function modelsFor(options: ContextModelOptions): (model: Model, name: string | undefined) => Model {
  const { conversation: keyOf, model: given, ...rest } = options;
  const warnings = new Warnings(rest.onWarning);
  const conversations = new Conversations<ModelInputData>(agentsCodec, rest, warnings);
  return (model, name) => new ManagedModel(model, { conversations, warnings, keyOf, name: given ?? name });
}
