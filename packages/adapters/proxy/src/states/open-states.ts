import { openedAt } from '../opened-at.js';
import { postgresStates } from './postgres-states.js';
import { sqliteStates } from './sqlite-states.js';
import type { StateConnection } from './state-connection.js';

/**
 * Opens the store of an address: `sqlite:FILE` or `postgres://…`.
 * @throws ConfigError `config-invalid` for another address, or a store that cannot be opened; `package-missing`
 */
export function openStates(address: string): Promise<StateConnection> {
  return openedAt('store', address, { sqlite: sqliteStates, postgres: postgresStates });
}
