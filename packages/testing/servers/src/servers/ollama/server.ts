import type { Dialect } from '../dialect.js';
import { Ids } from '../ids.js';
import { type ModelServer, type ModelServerOptions, startModelServer } from '../model-server.js';
import { Refusal } from '../refusal.js';
import { chatEndpoint } from './chat.js';
import { invalid } from './rules.js';

function ollama(): Dialect {
  const chat = chatEndpoint(new Ids());
  return {
    endpoint: (path) => (path === '/api/chat' ? chat : undefined),
    gatekeeper: () => undefined,
    unknownPath: () => new Refusal('other', 404, '404 page not found', { error: '404 page not found' }),
    notJson: () => invalid('invalid character in the body'),
    failure: (status) => ({ error: status === 429 ? 'too many requests' : 'internal server error' }),
  };
}

/**
 * Starts a server on loopback that speaks Ollama's own API (`/api/chat`). Its window is `num_ctx` of a request, and at most that of the options.
 * It truncates what is longer, as Ollama does, and refuses it only with `truncate: false`. The README lists the rules by which it refuses.
 */
export const startOllamaServer = (options?: ModelServerOptions): Promise<ModelServer> =>
  startModelServer(ollama(), options);
