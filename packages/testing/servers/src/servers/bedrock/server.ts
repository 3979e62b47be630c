import type { Dialect } from '../dialect.js';
import { Ids } from '../ids.js';
import { type ModelServer, type ModelServerOptions, startModelServer } from '../model-server.js';
import { converseEndpoint } from './converse.js';
import { invalid, refusal } from './rules.js';

function bedrock(): Dialect {
  const [ids, thoughts] = [new Ids(), new Map<unknown, unknown>()];
  const endpoints = {
    converse: converseEndpoint(ids, thoughts, false),
    'converse-stream': converseEndpoint(ids, thoughts, true),
  };
  return {
    endpoint(path) {
      const [, end] = /^\/model\/[^/]+\/(converse|converse-stream)$/.exec(path) ?? [];
      return end === undefined ? undefined : endpoints[end as keyof typeof endpoints];
    },
    gatekeeper({ authorization }) {
      if (/^(?:Bearer \S|AWS4-HMAC-SHA256 Credential=)/.test(String(authorization))) return undefined;
      return refusal('other', 'Missing Authentication Token', 403, 'MissingAuthenticationTokenException');
    },
    unknownPath: () => refusal('other', 'The operation is not known.', 404, 'UnknownOperationException'),
    notJson: () => invalid('The body of the request is not JSON.'),
    failure: (status) => ({
      message:
        status === 429 ? 'Too many requests, please wait before trying again.' : 'Internal server error',
    }),
  };
}

/**
 * Starts a server on loopback that speaks Bedrock's Converse API (`/model/MODEL/converse`, `…/converse-stream`) as it is with a model of Anthropic.
 * It takes an API key or a signature, and checks neither. The README lists the rules by which it refuses.
 */
export const startBedrockServer = (options?: ModelServerOptions): Promise<ModelServer> =>
  startModelServer(bedrock(), options);
