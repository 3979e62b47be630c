import { codeOf } from '@ctx/conversation';
import { CtxError } from '@ctx/core';
import { invalid } from './upstreams.js';

/** What opens each kind of address. */
export type Openers<Opened> = Readonly<Record<'sqlite' | 'postgres', (address: string) => Promise<Opened>>>;

/**
 * Opens what is kept at an address: `sqlite:FILE` or `postgres://…`. No error says the address, as it may hold a password.
 * @param what the option that gives the address
 * @throws ConfigError `config-invalid` for another address, or one that cannot be opened; `package-missing`
 */
export async function openedAt<Opened>(
  what: 'store' | 'archive',
  address: string,
  { sqlite, postgres }: Openers<Opened>,
): Promise<Opened> {
  const [scheme = ''] = address.split(':');
  const open = { sqlite, postgres, postgresql: postgres }[scheme];
  if (open === undefined)
    throw invalid(what, scheme, `The ${what} is not known`, 'Use sqlite:FILE or postgres://….');
  try {
    return await open(address);
  } catch (error) {
    if (CtxError.isInstance(error)) throw error;
    const problem = `The ${what} cannot be opened (${codeOf(error)})`;
    throw invalid(what, scheme, problem, 'Check its address and rights.');
  }
}
