/** The conversation of a request to Bedrock's Converse API, as it goes over the wire: bytes are base64. Fields that are not listed here are carried through. */
export interface ConverseConversation {
  system?: ConverseBlock[];
  messages: ConverseMessage[];
}

export interface ConverseMessage {
  role: 'user' | 'assistant';
  content: ConverseBlock[];
}

/** A block has one member, which is its kind: `text`, `toolUse`, `toolResult`, `reasoningContent`, `image`, `document`, `cachePoint` or another. */
export type ConverseBlock = Readonly<Record<string, unknown>>;
