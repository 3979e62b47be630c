/** A message of Ollama's own API, `POST /api/chat`. Fields that are not listed here are carried through. */
export interface OllamaMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content?: string;
  /** What the model thought. */
  thinking?: string;
  /** Pictures as base64, without the type of their data. */
  images?: string[];
  tool_calls?: OllamaToolCall[];
  /** The tool whose result a message of the role `tool` holds. */
  tool_name?: string;
  /** The call that it answers; older servers have no such ids. */
  tool_call_id?: string;
}

interface OllamaToolCall {
  /** Older servers have no such ids. */
  id?: string;
  function: { name: string; arguments: Record<string, unknown> };
}
