import { type Archive, waiting } from '@ctx/core';
import { archiveOn } from './archive-on.js';
import type { ArchiveOptions } from './archive-options.js';
import { checkOptions } from './checks.js';
import { type ServerOptions, usualTimeout } from './in-time.js';
import { type RedisClient, RedisScripts } from './redis/scripts.js';
import { RedisStore } from './redis/store.js';

interface RedisArchiveOptions extends ArchiveOptions, ServerOptions {
  /** What the names of all keys begin with. @default 'ctx:archive:' */
  readonly prefix?: string | undefined;
}

/**
 * An archive in Redis, for several processes and machines. It needs no module: the index is made of sorted sets.
 * @param client a connected client of `@redis/client` or `redis`, which stays the caller's: `close` does not end it
 * @throws ConfigError for options that cannot work
 */
export function redisArchive(client: RedisClient, options: RedisArchiveOptions = {}): Archive {
  const { prefix = 'ctx:archive:', timeout = usualTimeout, wait = waiting, ...others } = options;
  checkOptions({ ...others, timeout }, { prefix }, ['timeout']);
  return archiveOn(new RedisStore(new RedisScripts(client, { timeout, wait }), prefix), others);
}
