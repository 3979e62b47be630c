export type { AssistantChatMessage, ChatMessage, ChatToolCall, ToolChatMessage } from './chat-message.js';
export { ollamaCodec } from './ollama/ollama-codec.js';
export type { OllamaMessage } from './ollama/ollama-message.js';
export { openaiCodec } from './openai-codec.js';
export type { ResponseInputItem } from './responses/items.js';
export { responsesCodec } from './responses/responses-codec.js';
export { storedConversation } from './responses/stored-conversation.js';
export { validate } from './validate.js';
