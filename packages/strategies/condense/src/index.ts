export { type Ask, type ChatModel, chatModelOf } from './chat-model.js';
/** @deprecated The name of a class before strategies were declared once; use `condense`. */
export { condense, register } from './condense.js';
export { createSummarizer, type SummarizerOptions } from './create-summarizer.js';
