import { anyOf, flag, list, object, oneOf, record, type Shape, tagged, text } from '../shape.js';

const call = object(
  { function: object({ name: text, arguments: record }, anyOf('index')) },
  { id: text, type: text },
);

const message = tagged('role', {
  system: object({ role: text, content: text }),
  user: object({ role: text, content: text }, { images: list(text) }),
  assistant: object({ role: text }, { content: text, thinking: text, tool_calls: list(call) }),
  tool: object({ role: text, content: text, tool_name: text }, { tool_call_id: text }),
});

const tool = object({
  type: oneOf('function'),
  function: object({ name: text }, { description: text, parameters: record }),
});

/** The body of `POST /api/chat`. Ollama itself ignores unknown fields, and renders whatever it is given. */
export const chatRequest: Shape = object(
  { model: text, messages: list(message, 1) },
  {
    tools: list(tool),
    stream: flag,
    truncate: flag,
    options: record,
    ...anyOf('format', 'keep_alive', 'logprobs', 'shift', 'think', 'top_logprobs'),
  },
);
