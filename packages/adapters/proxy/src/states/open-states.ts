import { openedAt } from '../opened-at.js';
import { postgresStates } from './postgres-states.js';
import { sqliteStates } from './sqlite-states.js';
import type { StateConnection } from './state-connection.js';

/** Ms that a request waits for a server of states; without its answer it goes on alone. */
const longestWait = 2_000;

/**
 * Opens the store of an address: `sqlite:FILE` or `postgres://…`.
 * @throws ConfigError `config-invalid` for another address, or a store that cannot be opened; `package-missing`
 */
export async function openStates(address: string): Promise<StateConnection> {
  const openers = { sqlite: sqliteStates, postgres: postgresStates };
  return inTime(await openedAt('store', address, openers));
}

function inTime(states: StateConnection): StateConnection {
  return {
    get: (key) => within(states.get(key)),
    put: (key, value, version) => within(states.put(key, value, version)),
    close: () => states.close(),
  };
}

async function within<Result>(answer: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the store did not answer in time')), longestWait);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
