import { packageMissing } from '@ctx/core';
import { keptFor, type StateConnection } from './state-connection.js';

/** Ms between two attempts to connect again. */
const longestPause = 2_000;
const prefix = 'ctx:proxy:';
/** Done at once, so that no other process comes in between. */
const put = `
  if tonumber(redis.call('HGET', KEYS[1], 'version') or '0') ~= tonumber(ARGV[2]) - 1 then return 0 end
  redis.call('HSET', KEYS[1], 'value', ARGV[1], 'version', ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return 1`;

/** States in a Redis, each in a key that begins with `ctx:proxy:`. */
export async function redisStates(address: string): Promise<StateConnection> {
  const { createClient } = await import('@redis/client').catch(
    packageMissing('a store in Redis', ['@redis/client@6']),
  );
  let isOpen = false;
  // Once it was there it connects again by itself; what is asked meanwhile fails in time.
  const reconnectStrategy = (tries: number) => isOpen && Math.min(tries * 100, longestPause);
  const client = createClient({ url: address, socket: { reconnectStrategy } });
  client.on('error', () => {});
  await client.connect();
  isOpen = true;
  return {
    get: async (key) => {
      const [version, value] = (await client.sendCommand([
        'HMGET',
        prefix + key,
        'version',
        'value',
      ])) as unknown as (string | null)[];
      return typeof version === 'string' && typeof value === 'string'
        ? { version: Number(version), value }
        : undefined;
    },
    put: async (key, value, version) => {
      const args = [value, String(version), String(keptFor)];
      return Number(await client.sendCommand(['EVAL', put, '1', prefix + key, ...args])) === 1;
    },
    close: async () => {
      client.destroy();
    },
  };
}
