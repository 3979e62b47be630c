import { type Fields, isFields } from './hidden/answer-form.js';
import type { Body } from './wire-form.js';

const credentialHeaders = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'];

/** With which credentials a request is sent, and where to. */
export function credentialsOf(headers: Headers, url: URL): string {
  const credentials = credentialHeaders.map((name) => headers.get(name) ?? '');
  return JSON.stringify([url.origin, ...credentials, url.searchParams.get('key') ?? '']);
}

/**
 * The account that a request says it belongs to, where its token may be replaced by a newer one: the claims of a token that can be read, an
 * account in a header, or the one that Claude Code names in its metadata. Nobody has checked it.
 */
export function claimedAccount(headers: Headers, url: URL, body: Body): string | undefined {
  const [scheme = '', token = ''] = (headers.get('authorization') ?? '').split(' ');
  if (scheme.toLowerCase() !== 'bearer') return undefined;
  const claims = claimsOf(token);
  const account = headers.get('chatgpt-account-id');
  const said = claims ?? (account === null ? metadataAccount(body) : ['account']);
  if (said === undefined) return undefined;
  const others = credentialHeaders.slice(1).map((name) => headers.get(name) ?? '');
  return JSON.stringify([url.origin, said, account, ...others, url.searchParams.get('key') ?? '']);
}

/** True for a claim that no provider checks: it counts together with what the answer says of the account alone. */
export const needsOrganization = (claimed: string): boolean => claimed.includes('"metadata"');

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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
