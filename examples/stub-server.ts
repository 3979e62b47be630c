import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AssistantChatMessage, ChatMessage } from '@ctx/codec-openai';

export interface Seen {
  accepted: number;
  /** Requests larger than the window. */
  refused: number;
  /** Requests that break a rule of the API. */
  invalid: string[];
  largest: number;
}

/** Answers like OpenAI's Chat Completions API, on loopback and from a script; `window` is in its own tokens. */
export async function startStub(script: readonly AssistantChatMessage[], window: number) {
  const seen: Seen = { accepted: 0, refused: 0, invalid: [], largest: 0 };
  const answer = (messages: readonly ChatMessage[]) => {
    const broken = unpaired(messages);
    if (broken !== undefined) {
      seen.invalid.push(broken);
      return failure(broken, 'invalid_value');
    }
    const tokens = Math.ceil(JSON.stringify(messages).length / 2.9);
    if (tokens > window) {
      seen.refused += 1;
      const advice = 'Please reduce the length of the messages.';
      const problem = `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. ${advice}`;
      return failure(problem, 'context_length_exceeded');
    }
    const message = script[seen.accepted] ?? { role: 'assistant', content: 'There is nothing left to do.' };
    seen.accepted += 1;
    seen.largest = Math.max(seen.largest, tokens);
    const finish_reason = message.tool_calls === undefined ? 'stop' : 'tool_calls';
    const usage = { prompt_tokens: tokens, completion_tokens: 20, total_tokens: tokens + 20 };
    return { status: 200, body: { choices: [{ index: 0, message, finish_reason }], usage } };
  };

  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { status, body } = answer((JSON.parse(text) as { messages: ChatMessage[] }).messages);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return { url: `http://127.0.0.1:${port}/v1/chat/completions`, seen, close };
}

function failure(message: string, code: string) {
  const error = { message, type: 'invalid_request_error', param: 'messages', code };
  return { status: 400, body: { error } };
}

/** The first message that separates a call from its result, checked without the help of ctx. */
function unpaired(messages: readonly ChatMessage[]): string | undefined {
  const open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id)) return `messages[${index}] answers no call before it`;
      continue;
    }
    if (open.size > 0) return `messages[${index}] stands where the result of ${[...open][0]} should`;
    if (message.role === 'assistant') for (const { id } of message.tool_calls ?? []) open.add(id);
  }
  return open.size > 0 ? `The result of ${[...open][0]} is missing` : undefined;
}
