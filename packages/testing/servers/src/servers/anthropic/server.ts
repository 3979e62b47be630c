import { type Dialect, Ids, invalid, Refusal } from '../dialect.js';
import { type ModelServer, type ModelServerOptions, startModelServer } from '../model-server.js';
import { messagesEndpoint } from './messages.js';
import { countRequest, messagesRequest } from './shape.js';
import { StoredMessages } from './stored-messages.js';
import { ThinkingSigner } from './thinking-signer.js';

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function anthropic(now?: () => number): Dialect {
  const server = { ids: new Ids(), thinking: new ThinkingSigner(), stored: new StoredMessages(now) };
  const messages = messagesEndpoint(server, messagesRequest);
  const counted = (input_tokens: number) => ({ input_tokens });
  const count = { ...messagesEndpoint(server, countRequest), counted };
  return {
    endpoint: (path) =>
      path === '/v1/messages' ? messages : path === '/v1/messages/count_tokens' ? count : undefined,
    admit(headers) {
      const hasToken = /^Bearer \S/.test(String(headers.authorization));
      if (!headers['x-api-key'] && !hasToken)
        throw new Refusal('refused', 401, 'x-api-key header is required');
      if (!headers['anthropic-version']) throw invalid('anthropic-version: header is required');
    },
    error({ status, message, details }) {
      const type = errorTypes[status] ?? 'api_error';
      return { type: 'error', error: { type, message, ...details }, request_id: 'req_test' };
    },
    words: {
      unknownPath: () => 'Not found',
      notJson: 'The request body is not valid JSON',
      failures: {
        429: "This request would exceed your organization's rate limit. Please try again later.",
        500: 'Internal server error',
        529: 'Overloaded',
      },
    },
  };
}

/**
 * Starts a server on loopback that speaks Anthropic's Messages API (`/v1/messages`, `/v1/messages/count_tokens`). It signs thinking and
 * binds it to everything before it. The README lists the rules by which it refuses.
 */
export const startAnthropicServer = (options?: ModelServerOptions): Promise<ModelServer> =>
  startModelServer(anthropic(options?.now), options);
