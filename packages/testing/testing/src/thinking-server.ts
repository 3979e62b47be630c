import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fields, NativeViolation } from '@ctx/core/codec';
import { type MessagesRequest, ThinkingSigner } from './thinking-signer.js';

export interface ThinkingServerOptions<Request extends MessagesRequest> {
  /** The blocks of an answer; its thinking has no signature; `turn` counts the accepted requests before it. */
  readonly answer: (request: Request, turn: number) => readonly Fields[];
  /** The provider's other rules. A request is refused by the first rule that it breaks. Default: none. */
  readonly validate?: (request: Request) => readonly NativeViolation[];
}

export interface ThinkingServer<Request> {
  /** The address to `POST` a request to. */
  readonly url: string;
  /** The requests that were answered. */
  readonly accepted: readonly Request[];
  /** Why the other requests were refused. */
  readonly refused: readonly string[];
  close(): Promise<unknown>;
}

/**
 * A server on loopback that answers like Anthropic's Messages API. It signs the thinking of each answer. It refuses a request with status
 * 400 if something before a thinking block has changed since, or if the request breaks another rule.
 */
export async function startThinkingServer<Request extends MessagesRequest>({
  answer,
  validate = () => [],
}: ThinkingServerOptions<Request>): Promise<ThinkingServer<Request>> {
  const signer = new ThinkingSigner();
  const accepted: Request[] = [];
  const refused: string[] = [];
  const respond = (request: Request) => {
    const [broken] = validate(request);
    const problem =
      broken === undefined
        ? signer.refusal(request)
        : `messages.${broken.index}: ${broken.rule}: ${broken.detail}`;
    if (problem !== undefined) {
      refused.push(problem);
      const error = { type: 'invalid_request_error', message: problem };
      return { status: 400, body: { type: 'error', error } };
    }
    const content = signer.sign(request, answer(request, accepted.length));
    accepted.push(request);
    const stop_reason = content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
    return { status: 200, body: { type: 'message', role: 'assistant', content, stop_reason } };
  };

  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { status, body } = respond(JSON.parse(text) as Request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return { url: `http://127.0.0.1:${port}/v1/messages`, accepted, refused, close };
}
