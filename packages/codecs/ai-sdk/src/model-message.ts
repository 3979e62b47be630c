/** What a provider reads besides a message, such as where to set a cache breakpoint. */
interface Optioned {
  readonly providerOptions?: object | undefined;
}

/**
 * A message as `generateText`, `streamText` and `prepareStep` take it, in the forms of versions 5 to 7 of the AI SDK. The `ModelMessage` of
 * each version is one.
 */
export type AnyModelMessage = Optioned &
  (
    | { readonly role: 'system'; readonly content: string }
    | { readonly role: 'user' | 'assistant'; readonly content: string | readonly object[] }
    | { readonly role: 'tool'; readonly content: readonly object[] }
  );

/**
 * A message of the prompt that a provider and the middleware before it get: one of a `LanguageModelV2Prompt`, `LanguageModelV3Prompt` or
 * `LanguageModelV4Prompt`. Content is always a list, but for the system's.
 */
export type AnyPromptMessage = Optioned &
  (
    | { readonly role: 'system'; readonly content: string }
    | { readonly role: 'user' | 'assistant' | 'tool'; readonly content: readonly object[] }
  );
