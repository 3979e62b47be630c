/** The content of a request to Anthropic's Messages API: the system prompt and the messages. */
export interface AnthropicConversation {
  system?: string | TextBlock[];
  /** The definitions of tools. They are only compared with those of other requests; a converted conversation has none. */
  tools?: readonly unknown[];
  messages: NativeMessage[];
}

/**
 * A message of the Messages API. Fields that are not listed here are carried through. Newer models take instructions in the middle of
 * a conversation, as messages of the role system.
 */
export interface NativeMessage {
  role: 'user' | 'assistant' | 'system';
  content: string | ContentBlock[];
}

export type ContentBlock =
  | TextBlock
  | ImageBlock
  | DocumentBlock
  | ToolUseBlock
  | ToolResultBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | OtherBlock;

export interface CacheControl {
  type: 'ephemeral';
  ttl?: '5m' | '1h';
}

export interface TextBlock {
  type: 'text';
  text: string;
  cache_control?: CacheControl | null;
}

export interface ImageBlock {
  type: 'image';
  source:
    | { type: 'base64'; media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'; data: string }
    | { type: 'url'; url: string }
    | { type: 'file'; file_id: string };
  cache_control?: CacheControl | null;
}

export interface DocumentBlock {
  type: 'document';
  source:
    | { type: 'base64'; media_type: 'application/pdf'; data: string }
    | { type: 'text'; media_type: 'text/plain'; data: string }
    | { type: 'content'; content: string | (TextBlock | ImageBlock)[] }
    | { type: 'url'; url: string }
    | { type: 'file'; file_id: string };
  title?: string | null;
  context?: string | null;
  cache_control?: CacheControl | null;
}

export interface ToolUseBlock {
  type: 'tool_use';
  id: string;
  name: string;
  input: unknown;
  cache_control?: CacheControl | null;
}

export interface ToolResultBlock {
  type: 'tool_result';
  tool_use_id: string;
  content?: string | (TextBlock | ImageBlock | DocumentBlock | OtherBlock)[];
  is_error?: boolean;
  cache_control?: CacheControl | null;
}

export interface ThinkingBlock {
  type: 'thinking';
  thinking: string;
  signature: string;
}

export interface RedactedThinkingBlock {
  type: 'redacted_thinking';
  data: string;
}

/** Tools that the server runs, their results, search results and future types. */
export interface OtherBlock {
  type: string;
}
