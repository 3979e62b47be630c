export { type AiSdkCodec, modelMessageCodec, promptCodec, promptCodecFor } from './codecs.js';
export type { PromptVersion } from './form.js';
export type {
  AnyModelMessage,
  AssistantModelMessage,
  AssistantPart,
  CustomPart,
  DataContent,
  FilePart,
  ImagePart,
  ProviderOptions,
  ProviderReference,
  ReasoningFilePart,
  ReasoningPart,
  SystemModelMessage,
  TaggedData,
  TextPart,
  ToolApprovalRequest,
  ToolApprovalResponse,
  ToolCallPart,
  ToolModelMessage,
  ToolOutputPart,
  ToolResultOutput,
  ToolResultPart,
  UserModelMessage,
} from './model-message.js';
export type { AnyPromptMessage } from './prompt-message.js';
