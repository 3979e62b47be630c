/**
 * What compresses one list of messages with given strategies, for hosts in which a start must be short: without a configuration, a
 * container, the tables of a tokenizer, zod or tsyringe. `@ctx/core` is the door for everybody else.
 */

export { CtxError } from './base/errors.js';
export type { Steps } from './base/slices.js';
export { compressLightly, type LightOptions, type LightOutcome } from './compress/light.js';
export { estimateTokens } from './count/estimate.js';
export { cutJson } from './kit/cut-json.js';
export { cutText, endOf, startOf } from './kit/cut-text.js';
export { pathNormalizer } from './kit/file-path.js';
export { filesOf } from './kit/file-tools.js';
export { scoreMessages } from './kit/importance.js';
export { toolUsesOf } from './kit/tool-use.js';
export {
  isErrorResult,
  type Message,
  messageText,
  outputText,
  type Part,
  partsOf,
  partText,
  type ToolCallPart,
  type ToolOutput,
  type ToolResultPart,
  toolCallsOf,
} from './transcript/message.js';
export type { TranscriptMessage } from './transcript/transcript.js';
export { dropsInOrder } from './view/exchange.js';
export type { CompressionStrategy, PlanContext } from './view/strategy.js';
