/** The system prompt and messages of a request to Anthropic's Messages API. They can be given to `@anthropic-ai/sdk` as they are. */
export interface AnthropicConversation {
  system?: string | TextBlock[];
  messages: NativeMessage[];
}

/** A request as the codec reads it. Its blocks may be any that the API knows. */
export interface AnthropicRequest {
  readonly system?: string | readonly AnyBlock[] | undefined;
  /** The definitions of tools. They are only compared with those of other requests. */
  readonly tools?: readonly unknown[] | undefined;
  readonly messages: readonly AnyMessage[];
}

/** A message of a request. One of the role system may have settings and no content. */
export type AnyMessage =
  | { readonly role: 'user' | 'assistant'; readonly content: string | readonly AnyBlock[] }
  | { readonly role: 'system'; readonly content?: string | readonly AnyBlock[] };

/**
 * A message of the Messages API. Fields that are not listed here are carried through. Newer models take instructions in the middle of
 * a conversation, as messages of the role system.
 */
export type NativeMessage =
  | { role: 'user' | 'assistant'; content: string | ContentBlock[] }
  | { role: 'system'; content: string | TextBlock[] };

/**
 * The blocks that the codec makes. Any other block, such as a tool of the server, comes back as it is; these types do not list it.
 */
export type ContentBlock =
  | TextBlock
  | ImageBlock
  | DocumentBlock
  | ToolUseBlock
  | ToolResultBlock
  | ThinkingBlock
  | RedactedThinkingBlock;

/** A block of a request: one of those listed here, or of any other type. */
type AnyBlock = ContentBlock | OtherBlock | ({ readonly type: string } & Readonly<Record<string, unknown>>);

interface CacheControl {
  type: 'ephemeral';
  ttl?: '5m' | '1h';
}

interface TextBlock {
  type: 'text';
  text: string;
  cache_control?: CacheControl | null;
}

interface ImageBlock {
  type: 'image';
  source:
    | { type: 'base64'; media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'; data: string }
    | { type: 'url'; url: string }
    | { type: 'file'; file_id: string };
  cache_control?: CacheControl | null;
}

interface DocumentBlock {
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

interface ToolUseBlock {
  type: 'tool_use';
  id: string;
  name: string;
  input: unknown;
  cache_control?: CacheControl | null;
}

interface ToolResultBlock {
  type: 'tool_result';
  tool_use_id: string;
  content?: string | (TextBlock | ImageBlock | DocumentBlock)[];
  is_error?: boolean;
  cache_control?: CacheControl | null;
}

interface ThinkingBlock {
  type: 'thinking';
  thinking: string;
  signature: string;
}

interface RedactedThinkingBlock {
  type: 'redacted_thinking';
  data: string;
}

/** Tools that the server runs, their results, search results and future types. */
interface OtherBlock {
  readonly type: string;
}
