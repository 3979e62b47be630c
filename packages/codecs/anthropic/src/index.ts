export { type AnthropicCodec, anthropicCodec } from './anthropic-codec.js';
export type {
  AnthropicConversation,
  AnthropicRequest,
  AnyBlock,
  AnyMessage,
  CacheControl,
  ContentBlock,
  DocumentBlock,
  ImageBlock,
  NativeMessage,
  OtherBlock,
  RedactedThinkingBlock,
  TextBlock,
  ThinkingBlock,
  ToolResultBlock,
  ToolUseBlock,
} from './native-message.js';
export { validate } from './validate.js';
