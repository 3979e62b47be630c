import type { LanguageModelV2Prompt } from '@ai-sdk/provider-v2';
import type { LanguageModelV3Prompt } from '@ai-sdk/provider-v3';
import type { LanguageModelV4Prompt } from '@ai-sdk/provider-v4';
import {
  type AnyModelMessage,
  type AnyPromptMessage,
  modelMessageCodec,
  type promptCodec,
  promptCodecFor,
} from '@ctx/codec-ai-sdk';
import type { Codec, Message } from '@ctx/core';
import type { ModelMessage as ModelMessage5, PrepareStepFunction as PrepareStep5 } from 'ai-v5';
import type { ModelMessage as ModelMessage6, PrepareStepFunction as PrepareStep6 } from 'ai-v6';
import type { ModelMessage as ModelMessage7, PrepareStepFunction as PrepareStep7, ToolSet } from 'ai-v7';

/** The compiler checks this file; at run time it only has to load. */
type Extends<A, B> = [A] extends [B] ? true : false;
const isTrue = (..._checks: true[]) => undefined;

test('messages of versions 5, 6 and 7 go in, and come out with the type of that version', () => {
  isTrue(
    true satisfies Extends<ModelMessage5, AnyModelMessage>,
    true satisfies Extends<ModelMessage6, AnyModelMessage>,
    true satisfies Extends<ModelMessage7, AnyModelMessage>,
    true satisfies Extends<typeof modelMessageCodec, Codec<ModelMessage5[]>>,
    true satisfies Extends<typeof modelMessageCodec, Codec<ModelMessage6[]>>,
    true satisfies Extends<typeof modelMessageCodec, Codec<ModelMessage7[]>>,
  );
  const view: Message[] = [{ role: 'user', content: 'hi' }];
  const step5: PrepareStep5 = ({ messages }) => ({
    messages: modelMessageCodec.fromMessages([...modelMessageCodec.toMessages(messages), ...view]),
  });
  const step6: PrepareStep6 = ({ messages }) => ({
    messages: modelMessageCodec.fromMessages([...modelMessageCodec.toMessages(messages), ...view]),
  });
  const step7: PrepareStep7<ToolSet> = ({ initialMessages, responseMessages }) => ({
    messages: modelMessageCodec.fromMessages([
      ...modelMessageCodec.toMessages([...initialMessages, ...responseMessages]),
      ...view,
    ]),
  });
  const messages: ModelMessage7[] = modelMessageCodec.fromMessages(view);
  expect([step5, step6, step7, messages]).toHaveLength(4);
});

test('prompts of versions 2, 3 and 4 go in, and come out with the type of that version', () => {
  isTrue(
    true satisfies Extends<LanguageModelV2Prompt[number], AnyPromptMessage>,
    true satisfies Extends<LanguageModelV3Prompt[number], AnyPromptMessage>,
    true satisfies Extends<LanguageModelV4Prompt[number], AnyPromptMessage>,
    true satisfies Extends<typeof promptCodec, Codec<LanguageModelV2Prompt>>,
    true satisfies Extends<typeof promptCodec, Codec<LanguageModelV3Prompt>>,
    true satisfies Extends<typeof promptCodec, Codec<LanguageModelV4Prompt>>,
  );
  const prompt: LanguageModelV4Prompt = promptCodecFor('v4').fromMessages([{ role: 'user', content: 'hi' }]);
  expect(prompt).toEqual([{ role: 'user', content: [{ type: 'text', text: 'hi' }] }]);
});
