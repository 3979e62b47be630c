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
export { type ChatCodec, openaiCodec } from './openai-codec.js';
export type { HostedItem } from './responses/hosted-items.js';
export type { ResponseInputItem } from './responses/items.js';
export { type ResponsesCodec, responsesCodec } from './responses/responses-codec.js';
export {
  requireWholeInput,
  type StoredConversation,
  storedConversation,
} from './responses/stored-conversation.js';
export { validate } from './validate.js';
