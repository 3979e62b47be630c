import type { ChatModel } from '@ctx/core';

/** What ctx needs of a language model of the AI SDK, in each of the versions 5 to 7, that is to summarise. */
export interface SummaryLanguageModel {
  readonly provider: string;
  readonly modelId: string;
  // The options differ between the versions; each knows a prompt of a system and a user message.
  doGenerate(options: never): PromiseLike<{
    readonly content: readonly { readonly type: string }[];
    readonly finishReason: unknown;
  }>;
}

/** A language model as one that summarises. */
export function summaryModel(model: SummaryLanguageModel): ChatModel {
  return {
    name: model.modelId,
    async complete({ system, user, signal }) {
      const prompt = [
        { role: 'system', content: system },
        { role: 'user', content: [{ type: 'text', text: user }] },
      ];
      const { content, finishReason } = await model.doGenerate({ prompt, abortSignal: signal } as never);
      const texts = content.filter((part): part is { type: 'text'; text: string } => part.type === 'text');
      return {
        text: texts
          .map(({ text }) => text)
          .join('')
          .trim(),
        stopReason: stopReasonOf(finishReason),
      };
    },
  };
}

/** Version 5 gives the reason as a text, later ones in an object. */
function stopReasonOf(reason: unknown): 'stop' | 'length' | 'refusal' | 'other' {
  const said = typeof reason === 'string' ? reason : (reason as { unified?: unknown } | undefined)?.unified;
  if (said === 'content-filter') return 'refusal';
  return said === 'length' || said === 'stop' ? said : 'other';
}
