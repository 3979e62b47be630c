import { digest, RecentMap, type SealedStates } from '@ctx/conversation';
import { type Fields, isFields } from '@ctx/core/codec';
import { parsed } from './answer-frames.js';
import type { Body } from './wire-form.js';

/** Who sends a request. */
export interface Sender {
  /** Conversations of two keys are never the same. No credentials can be read from it. */
  readonly key: string;
  /**
   * Is told that the provider has accepted a request of theirs.
   * @param organization who they are, as the answer says it
   */
  accepted(organization: string | undefined): Promise<void>;
}

/** Tokens and accounts that are remembered; of the others a new token begins new conversations. */
const mostTokens = 1_000;

/**
 * Knows which tokens belong to one account, as agents replace theirs within a day. A token says whose it is, which proves nothing until the
 * provider has accepted it: until then its conversations are its own, and from then on those of the account.
 */
export class Senders {
  /** The key of each account: that of its first token. */
  readonly #accounts = new RecentMap<string, string>(mostTokens);

  /** @param joined the key of each token that has joined an account */
  constructor(readonly joined: SealedStates<string>) {}

  async of(headers: Headers, url: URL, body: Body): Promise<Sender> {
    const [authorization = '', ...keys] = credentialHeaders.map((name) => headers.get(name) ?? '');
    const others = [...keys, url.searchParams.get('key') ?? ''];
    const credentials = JSON.stringify([url.origin, authorization, ...others]);
    const own = await digest(credentials);
    const said = claimedAccount(authorization, headers, body);
    if (said === undefined) return { key: own, accepted: async () => {} };
    const claimed = JSON.stringify([url.origin, said, ...others]);
    const secret = `${credentials}${claimed}`;
    const key = (await this.joined.get(secret, true)) ?? own;
    return {
      key,
      accepted: async (organization) => {
        // No provider checks this claim: it counts only together with the organization that an answer names.
        const isUnchecked = said[0] === 'metadata';
        if (isUnchecked && organization === undefined) return;
        const account = await digest(`${claimed}${isUnchecked ? organization : ''}`);
        const first = this.#accounts.get(account);
        if (first === undefined) this.#accounts.set(account, key);
        else if (first !== key) await this.joined.change(secret, () => first);
      },
    };
  }
}

const credentialHeaders = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'];

/**
 * The account that a request says it belongs to, where its token may be replaced by a newer one: the claims of a token that can be read, an
 * account in a header, or the one that Claude Code names in its metadata. Nobody has checked it.
 */
function claimedAccount(authorization: string, headers: Headers, body: Body) {
  const [scheme = '', token = ''] = authorization.split(' ');
  if (scheme.toLowerCase() !== 'bearer') return undefined;
  const account = headers.get('chatgpt-account-id');
  const said = claimsOf(token) ?? (account === null ? metadataAccount(body) : ['account']);
  return said && [...said, account];
}

/** Who a JSON Web Token says that it is for; `undefined` for another token, or one that does not say it. */
function claimsOf(token: string): readonly unknown[] | undefined {
  const [, payload = ''] = token.split('.');
  const said = parsed(decoded(payload));
  if (!isFields(said)) return undefined;
  const openai = said['https://api.openai.com/auth'];
  const { chatgpt_account_id: account, chatgpt_user_id: user }: Fields = isFields(openai) ? openai : {};
  const subject = said.sub ?? user;
  return typeof subject === 'string' && subject !== ''
    ? ['claims', said.iss, subject, user, account]
    : undefined;
}

function metadataAccount({ metadata }: Body): readonly unknown[] | undefined {
  const said = isFields(metadata) ? parsed(String(metadata.user_id)) : undefined;
  const account = isFields(said) ? said.account_uuid : undefined;
  return typeof account === 'string' && account !== '' ? ['metadata', account] : undefined;
}

function decoded(base64url: string): string {
  try {
    return atob(base64url.replace(/-/g, '+').replace(/_/g, '/'));
  } catch {
    return '';
  }
}

/** True for a request whose body AWS checks by a signature. */
export const isSigned = (headers: Headers) => /^AWS4-/.test(headers.get('authorization') ?? '');
export const signedRemedy =
  'A request for AWS is signed before it comes here, so it passes unchanged. Give `contextBedrock()` to the client of the AWS SDK, or use an API key of Bedrock (AWS_BEARER_TOKEN_BEDROCK)';
