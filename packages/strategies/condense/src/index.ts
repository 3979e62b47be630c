export { condense, register } from './condense.js';
export {
  type Ask,
  type ChatModel,
  chatModelOf,
  createSummarizer,
  type SummarizerOptions,
} from './create-summarizer.js';
