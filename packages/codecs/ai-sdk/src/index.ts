export { modelMessageCodec, promptCodec, promptCodecFor } from './codecs.js';
export type { PromptVersion } from './form.js';
export type { AnyModelMessage, AnyPromptMessage } from './model-message.js';
