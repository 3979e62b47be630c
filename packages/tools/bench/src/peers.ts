/** Messages in the forms of the peers, which must be installed: `ai`, `langchain` and `@langchain/core`. */
export { toAiSdk } from './candidates/ai-sdk.js';
export { toLangChain } from './candidates/langchain.js';
