import type { Dialect, Endpoint } from '../dialect.js';
import { Ids, Refusal } from '../dialect.js';
import { type ModelServer, type ModelServerOptions, startModelServer } from '../model-server.js';
import { countTokensEndpoint, messagesEndpoint } from './messages.js';
import { StoredMessages } from './stored-messages.js';
import { BoundThinking } from './thinking.js';
import { errorBody, invalid } from './words.js';

const failures: Readonly<Record<number, readonly [type: string, message: string]>> = {
  429: [
    'rate_limit_error',
    "This request would exceed your organization's rate limit. Please try again later.",
  ],
  529: ['overloaded_error', 'Overloaded'],
};

function anthropic(now?: () => number): Dialect {
  const thinking = new BoundThinking();
  const stored = new StoredMessages(now);
  const endpoints = new Map<string, Endpoint>([
    ['/v1/messages', messagesEndpoint(new Ids(), thinking, stored)],
    ['/v1/messages/count_tokens', countTokensEndpoint(thinking, stored)],
  ]);
  return {
    endpoint: (path) => endpoints.get(path),
    gatekeeper(headers) {
      const hasToken = /^Bearer \S/.test(String(headers.authorization));
      if (!headers['x-api-key'] && !hasToken) {
        const message = 'x-api-key header is required';
        return new Refusal('other', 401, message, errorBody('authentication_error', message));
      }
      if (!headers['anthropic-version']) return invalid('anthropic-version: header is required');
      return undefined;
    },
    unknownPath: () => new Refusal('other', 404, 'Not found', errorBody('not_found_error', 'Not found')),
    notJson: () => invalid('The request body is not valid JSON'),
    failure: (status) => errorBody(...(failures[status] ?? ['api_error', 'Internal server error'])),
  };
}

/**
 * Starts a server on loopback that speaks Anthropic's Messages API (`/v1/messages`, `/v1/messages/count_tokens`). It signs thinking and
 * binds it to everything before it. The README lists the rules by which it refuses.
 */
export const startAnthropicServer = (options?: ModelServerOptions): Promise<ModelServer> =>
  startModelServer(anthropic(options?.now), options);
