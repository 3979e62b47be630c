export { modelMessageCodec, promptCodec, promptCodecFor } from './codecs.js';
export type { PromptVersion } from './form.js';
export type { AnyModelMessage, ToolCallPart } from './model-message.js';
export type { AnyPromptMessage } from './prompt-message.js';
