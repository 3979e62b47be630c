export { type Ask, type ChatModel, chatModelOf } from './chat-model.js';
export { condense, register } from './condense.js';
export { createSummarizer, type SummarizerOptions } from './create-summarizer.js';
