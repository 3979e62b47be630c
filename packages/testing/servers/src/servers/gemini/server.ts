import type { Dialect } from '../dialect.js';
import { Ids } from '../ids.js';
import { type ModelServer, type ModelServerOptions, startModelServer } from '../model-server.js';
import { Refusal } from '../refusal.js';
import { countTokensEndpoint, generateEndpoint } from './generate.js';
import { errorBody, invalid } from './words.js';

const noKey =
  "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.";

const failures: Readonly<Record<number, readonly [message: string, status: string]>> = {
  429: ['You exceeded your current quota, please check your plan and billing details.', 'RESOURCE_EXHAUSTED'],
  503: ['The model is overloaded. Please try again later.', 'UNAVAILABLE'],
};

function gemini(): Dialect {
  const ids = new Ids();
  const signed = new Set<unknown>();
  return {
    endpoint(path, query) {
      const [, model = '', verb = ''] = /^\/v1(?:beta|alpha)?\/models\/([^/:]+):(\w+)$/.exec(path) ?? [];
      const isStream = verb === 'streamGenerateContent' && query.get('alt') === 'sse';
      const generating = { model, streams: isStream, ids, signed };
      if (verb === 'generateContent' || isStream) return generateEndpoint(generating);
      return verb === 'countTokens' ? countTokensEndpoint(generating) : undefined;
    },
    gatekeeper(headers, query) {
      if (headers['x-goog-api-key'] || query.get('key') || headers.authorization) return undefined;
      return new Refusal('other', 403, noKey, errorBody(403, noKey, 'PERMISSION_DENIED'));
    },
    unknownPath: () => new Refusal('other', 404, 'Not Found', errorBody(404, 'Not Found', 'NOT_FOUND')),
    notJson: () => invalid('Invalid JSON payload received. Unexpected token.'),
    failure(status) {
      return errorBody(
        status,
        ...(failures[status] ?? (['An internal error has occurred. Please retry.', 'INTERNAL'] as const)),
      );
    },
  };
}

/**
 * Starts a server on loopback that speaks Google's Gemini API (`:generateContent`, `:streamGenerateContent?alt=sse`, `:countTokens`). The
 * README lists the rules by which it refuses.
 */
export const startGeminiServer = (options?: ModelServerOptions): Promise<ModelServer> =>
  startModelServer(gemini(), options);
