import { type Dialect, type Endpoint, Refusal } from '../dialect.js';
import { type ModelServer, type ModelServerOptions, startModelServer } from '../model-server.js';
import { chatEndpoint, mistralRequest } from './chat.js';
import { compactEndpoint, responsesEndpoint, responseTokensEndpoint } from './responses.js';
import { StoredItems } from './stored-items.js';

const noKey =
  "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY), or as the password field (with blank username) if you're accessing the API from your browser and are prompted for a username and password.";

/** How the paths of others begin who speak the same API: Azure, Groq, and OpenRouter. */
const others = /^\/(?:openai\/deployments\/[^/]+|openai(?:\/v1)?|api\/v1)\//;

function openAi(): Dialect {
  const stored = new StoredItems();
  const endpoints = new Map<string, Endpoint>([
    ['/v1/chat/completions', chatEndpoint()],
    ['/mistral/v1/chat/completions', chatEndpoint(mistralRequest)],
    ['/v1/responses', responsesEndpoint(stored)],
    ['/v1/responses/compact', compactEndpoint(stored)],
    ['/v1/responses/input_tokens', responseTokensEndpoint(stored)],
  ]);
  return {
    endpoint: (path) => endpoints.get(path.replace(others, '/v1/')),
    admit({ authorization, 'api-key': azureKey }) {
      if (!azureKey && !/^Bearer \S/.test(String(authorization))) throw new Refusal('refused', 401, noKey);
    },
    error({ status, message, details }) {
      if (status === 429)
        return { error: { message, type: 'tokens', param: null, code: 'rate_limit_exceeded', ...details } };
      const type = status >= 500 ? 'server_error' : 'invalid_request_error';
      return { error: { message, type, param: null, code: null, ...details } };
    },
    words: {
      400: 'We could not parse the JSON body of your request. The OpenAI API expects a JSON payload.',
      404: 'Invalid URL (REQUEST)',
      429: 'Rate limit reached for this model on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 2s.',
      500: 'The server had an error while processing your request. Sorry about that!',
    },
  };
}

/**
 * Starts a server on loopback that speaks OpenAI's chat completions (`/v1/chat/completions`) and Responses (`/v1/responses`,
 * `/v1/responses/compact`, `/v1/responses/input_tokens`), also at the paths of Azure, Groq and OpenRouter, and Mistral's chat
 * completions (`/mistral/v1/chat/completions`).
 */
export const startOpenAiServer = (options?: ModelServerOptions): Promise<ModelServer> =>
  startModelServer(openAi(), options);
