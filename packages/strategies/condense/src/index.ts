export { type Ask, type ChatModel, type ChatRequest, type Completion, chatModelOf } from './chat-model.js';
/** @deprecated The name of a class before strategies were declared once; use `condense`. */
export { condense, condense as CondenseStrategy, register } from './condense.js';
export { createSummarizer, type SummarizerOptions } from './create-summarizer.js';
export type { ConversationFacts, ErrorFact, Fact } from './facts.js';
export { factsOf } from './history.js';
export type { LedgerEntry } from './ledger.js';
export type { CondenseOptions, KeepOptions } from './options.js';
export type { Receipt } from './receipt.js';
