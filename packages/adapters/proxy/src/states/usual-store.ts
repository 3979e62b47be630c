import { homedir } from 'node:os';
import { join } from 'node:path';
import { openStates } from './open-states.js';

interface Host {
  readonly environment: Readonly<Record<string, string | undefined>>;
  err(text: string): void;
}

/** The address of the store where none was named: a file of SQLite; `undefined`, for memory, where this machine has none. */
export async function usualStore({ environment, err }: Host): Promise<string | undefined> {
  const folder = environment.XDG_STATE_HOME || join(environment.HOME || homedir(), '.local/state');
  const address = `sqlite:${join(folder, 'ctx/proxy.sqlite')}`;
  try {
    await (await openStates(address)).close();
    return address;
  } catch {
    err(
      '[ctx proxy] There is no SQLite here: compressions are kept in memory, and lost when the proxy ends.\n',
    );
    return undefined;
  }
}
