import type {
  AssistantPart,
  FilePart,
  SystemModelMessage,
  TextPart,
  ToolModelMessage,
  UserModelMessage,
} from './model-message.js';

/**
 * A message of the prompt that a provider and the middleware before it get: one of a `LanguageModelV2Prompt`, `LanguageModelV3Prompt` or
 * `LanguageModelV4Prompt`. Content is always a list, but for the system's, and an image is a file.
 */
export type AnyPromptMessage =
  | SystemModelMessage
  | (Omit<UserModelMessage, 'content'> & { readonly content: readonly (TextPart | FilePart)[] })
  | {
      readonly role: 'assistant';
      readonly content: readonly AssistantPart[];
      readonly providerOptions?: UserModelMessage['providerOptions'];
    }
  | ToolModelMessage;
