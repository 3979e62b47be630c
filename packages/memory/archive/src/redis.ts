import type { Archive, Wait } from '@ctx/core';
import { waiting } from '@ctx/core';
import { archiveOn } from './archive-on.js';
import type { ArchiveOptions } from './archive-options.js';
import { checkOptions } from './checks.js';
import { usualTimeout } from './in-time.js';
import { type RedisClient, RedisScripts } from './redis/scripts.js';
import { redisStore } from './redis/store.js';

interface RedisArchiveOptions extends ArchiveOptions {
  /** What the names of all keys begin with. @default 'ctx:archive:' */
  readonly prefix?: string | undefined;
  /** Ms that a call waits for the server. @default 5000 */
  readonly timeout?: number | undefined;
  /** Waits for that time. Give it where time is not real, as in a test. @default setTimeout */
  readonly wait?: Wait | undefined;
}

/**
 * An archive in Redis, for several processes and machines. It needs no module: the index is made of sorted sets.
 * @param client a connected client of `@redis/client` or `redis`, which stays the caller's: `close` does not end it
 * @throws ConfigError for options that cannot work
 */
export function redisArchive(client: RedisClient, options: RedisArchiveOptions = {}): Archive {
  const { prefix = 'ctx:archive:', timeout = usualTimeout, wait = waiting, ...others } = options;
  checkOptions({ ...others, timeout }, { prefix }, ['timeout']);
  return archiveOn(redisStore(new RedisScripts(client, { timeout, wait }), prefix), others);
}
