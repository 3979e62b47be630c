import { isFields } from '@ctx/core/codec';
import { type ChatModel, type Completion, ModelError } from './chat-model.js';
import { fieldsIn } from './model-request.js';

/** The members of an AI SDK `LanguageModel` that are used (specifications v2 and v3). */
export interface AiSdkLanguageModel {
  readonly modelId: string;
  doGenerate(options: {
    readonly prompt: readonly (
      | { readonly role: 'system'; readonly content: string }
      | {
          readonly role: 'user';
          readonly content: readonly { readonly type: 'text'; readonly text: string }[];
        }
    )[];
    readonly maxOutputTokens?: number;
    readonly abortSignal?: AbortSignal;
  }): PromiseLike<{
    readonly content: readonly unknown[];
    readonly finishReason?: unknown;
    readonly usage?: unknown;
  }>;
}

const stopReasons: Readonly<Record<string, Completion['stopReason']>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'refusal',
};

/** Wraps a model of the AI SDK. */
export function aiSdkModel(
  model: AiSdkLanguageModel,
  { contextWindow }: { readonly contextWindow?: number } = {},
): ChatModel {
  return {
    name: model.modelId,
    contextWindow,
    async complete({ system, user, maxTokens, signal }) {
      const result = await model.doGenerate({
        prompt: [
          { role: 'system', content: system },
          { role: 'user', content: [{ type: 'text', text: user }] },
        ],
        maxOutputTokens: maxTokens,
        abortSignal: signal,
      });
      if (!Array.isArray(result?.content)) throw new ModelError('malformed', 'The model returned no content');
      const texts = result.content.flatMap((part) => {
        const { type, text } = fieldsIn(part);
        return type === 'text' && typeof text === 'string' ? [text] : [];
      });
      const reason = isFields(result.finishReason) ? result.finishReason.unified : result.finishReason;
      return {
        text: texts.join(''),
        stopReason: stopReasons[String(reason)] ?? 'other',
        usage: usageOf(result.usage),
      };
    },
  };
}

/** Reads the usage of both versions. In version 3 the figures are one level deeper. */
function usageOf(value: unknown): Completion['usage'] {
  const { inputTokens, outputTokens } = fieldsIn(value);
  const total = (tokens: unknown) => (isFields(tokens) ? tokens.total : tokens);
  const [input, output] = [total(inputTokens), total(outputTokens)];
  if (typeof input !== 'number' || typeof output !== 'number') return undefined;
  return { inputTokens: input, outputTokens: output };
}
