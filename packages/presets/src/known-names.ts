type Words<Text extends string> = Text extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : Text;
const words = <const Text extends string>(text: Text) => text.split(' ') as unknown as readonly Words<Text>[];

/** Providers by the names that hosts give them. */
export const providerNames = words(
  'ollama lmstudio openai anthropic google azure bedrock vertex openrouter mistral deepseek xai amazon-bedrock google-vertex gemini groq alibaba qwen moonshot moonshotai zai zhipuai together fireworks cerebras cohere nvidia github-copilot opencode vercel meta llama',
);

/** Models that are common now; the presets know the limits of each, and of others. */
export const modelNames = words(
  'claude-fable-5-1 claude-haiku-4-5 claude-haiku-5-5 claude-mythos-5-1 claude-opus-5-5 claude-sonnet-4-5 claude-sonnet-5-5 deepseek-chat deepseek-reasoner gemini-2.5-flash gemini-2.5-pro gemini-3-pro gpt-4.1 gpt-4o gpt-5 gpt-5-mini gpt-5.4 gpt-5.4-mini gpt-5.5 gpt-oss-120b grok-4 llama3.1 o3',
);

declare module '@ctx/core' {
  interface KnownProviders extends Record<(typeof providerNames)[number], true> {}
  interface KnownModels extends Record<(typeof modelNames)[number], true> {}
}
