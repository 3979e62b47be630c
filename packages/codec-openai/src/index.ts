export type {
  AssistantChatMessage,
  AudioContent,
  ChatMessage,
  ChatToolCall,
  FileContent,
  FunctionChatMessage,
  ImageContent,
  RefusalContent,
  SystemChatMessage,
  TextContent,
  ToolChatMessage,
  UserChatMessage,
} from './chat-message.js';
export { openaiCodec } from './openai-codec.js';
export { validate } from './validate.js';
