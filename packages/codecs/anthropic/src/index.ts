export { anthropicCodec } from './anthropic-codec.js';
export { converseCodec } from './converse/converse-codec.js';
export type { ConverseConversation } from './converse/converse-message.js';
export type { AnthropicConversation, AnthropicRequest, NativeMessage } from './native-message.js';
export { validate } from './validate.js';
