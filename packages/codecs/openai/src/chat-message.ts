/** A message of OpenAI's Chat Completions API. Fields that are not listed here are carried through. */
export type ChatMessage =
  | SystemChatMessage
  | UserChatMessage
  | AssistantChatMessage
  | ToolChatMessage
  | FunctionChatMessage;

interface SystemChatMessage {
  role: 'system' | 'developer';
  content: string | TextContent[];
  name?: string;
}

interface UserChatMessage {
  role: 'user';
  content: string | (TextContent | ImageContent | AudioContent | FileContent)[];
  name?: string;
}

export interface AssistantChatMessage {
  role: 'assistant';
  content?: string | (TextContent | RefusalContent)[] | null;
  refusal?: string | null;
  name?: string;
  /** An earlier spoken answer, by its id. */
  audio?: { id: string } | null;
  tool_calls?: ChatToolCall[];
  /** The old form of a call, before `tool_calls`. */
  function_call?: { name: string; arguments: string } | null;
}

export interface ToolChatMessage {
  role: 'tool';
  content: string | TextContent[];
  tool_call_id: string;
}

/** The result of a `function_call`. */
interface FunctionChatMessage {
  role: 'function';
  content: string | null;
  name: string;
}

export type ChatToolCall =
  | { id: string; type: 'function'; function: { name: string; arguments: string } }
  | { id: string; type: 'custom'; custom: { name: string; input: string } };

interface TextContent {
  type: 'text';
  text: string;
}

interface ImageContent {
  type: 'image_url';
  image_url: { url: string; detail?: 'auto' | 'low' | 'high' };
}

interface AudioContent {
  type: 'input_audio';
  input_audio: { data: string; format: 'wav' | 'mp3' };
}

interface FileContent {
  type: 'file';
  file: { file_data?: string; file_id?: string; filename?: string };
}

interface RefusalContent {
  type: 'refusal';
  refusal: string;
}
