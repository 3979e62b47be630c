export { anthropicCodec } from './anthropic-codec.js';
export type { AnthropicConversation, AnthropicRequest, NativeMessage } from './native-message.js';
export { validate } from './validate.js';
