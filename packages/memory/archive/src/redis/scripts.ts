import { CtxError, type Wait } from '@ctx/core';
import { full, unavailable } from '../archive-errors.js';
import { inTime } from '../in-time.js';

/** The part of a client of Redis that is used. With `ioredis`: `{ sendCommand: ([name, ...rest]) => redis.call(name, ...rest) }`. */
export interface RedisClient {
  sendCommand(command: string[]): Promise<unknown>;
}

/**
 * What Redis does at once, so that nobody sees half of it. KEYS[1] is the beginning of a conversation's keys, KEYS[2] the set with the time
 * at which each conversation changed. A place is `message/part/passage`.
 */
export const scripts = {
  put: `
    local base, parts = KEYS[1], cjson.decode(ARGV[1])
    for _, part in ipairs(parts) do
      local digest = redis.call('HGET', base .. 'parts', part.place)
      if digest and digest ~= part.digest then return 'conflict ' .. part.message end
      part.known = digest
    end
    for _, part in ipairs(parts) do
      if not part.known and redis.call('HSETNX', base .. 'parts', part.place, part.digest) == 1 then
        for _, one in ipairs(part.passages) do
          redis.call('HSET', base .. 'data', one.place, one.data)
          redis.call('HSET', base .. 'about', one.place, one.about)
          redis.call('ZADD', base .. 'places', part.message, one.place)
          for _, term in ipairs(one.terms) do redis.call('ZADD', base .. 't:' .. term[1], term[2], one.place) end
          redis.call('HINCRBY', base .. 'sums', 'characters', one.characters)
        end
      end
    end
    for _, one in ipairs(cjson.decode(ARGV[4])) do
      if redis.call('ZCOUNT', base .. 'originals', one.message, one.message) == 0 then
        redis.call('ZADD', base .. 'originals', one.message, one.data)
      end
    end
    redis.call('ZADD', KEYS[2], ARGV[2], ARGV[3])
    return redis.call('HGET', base .. 'sums', 'characters') or '0'`,
  counts: `
    local counts = { redis.call('HLEN', KEYS[1] .. 'data') }
    for _, term in ipairs(cjson.decode(ARGV[1])) do
      counts[#counts + 1] = redis.call('ZCARD', KEYS[1] .. 't:' .. term)
    end
    return counts`,
  search: `
    local base, terms, filter, most = KEYS[1], cjson.decode(ARGV[1]), cjson.decode(ARGV[2]), tonumber(ARGV[3])
    local scores = {}
    for _, term in ipairs(terms) do
      local found = redis.call('ZRANGE', base .. 't:' .. term[1], 0, -1, 'WITHSCORES')
      for at = 1, #found, 2 do
        scores[found[at]] = (scores[found[at]] or 0) + term[2] * tonumber(found[at + 1])
      end
    end
    local function matches(place)
      if not filter.any then return true end
      local about = cjson.decode(redis.call('HGET', base .. 'about', place))
      if filter.since and about.time < filter.since then return false end
      if filter.path and not (about.path and string.find(about.path, filter.path, 1, true)) then return false end
      if not filter.kinds then return true end
      for _, kind in ipairs(filter.kinds) do if kind == about.kind then return true end end
      return false
    end
    local places = {}
    for place in pairs(scores) do places[#places + 1] = place end
    table.sort(places, function(a, b) return scores[a] > scores[b] or (scores[a] == scores[b] and a > b) end)
    local hits = {}
    for _, place in ipairs(places) do
      if #hits >= 2 * most then break end
      if matches(place) then
        hits[#hits + 1] = redis.call('HGET', base .. 'data', place)
        hits[#hits + 1] = tostring(scores[place])
      end
    end
    return hits`,
  messages: `
    local places = redis.call('ZRANGEBYSCORE', KEYS[1] .. 'places', ARGV[1], ARGV[2])
    local data = {}
    for at, place in ipairs(places) do data[at] = redis.call('HGET', KEYS[1] .. 'data', place) end
    return data`,
  remove: `
    local base = KEYS[1]
    for _, one in ipairs(cjson.decode(ARGV[1])) do
      if redis.call('HDEL', base .. 'data', one.place) == 1 then
        redis.call('HDEL', base .. 'about', one.place)
        redis.call('HDEL', base .. 'parts', one.part)
        redis.call('ZREM', base .. 'places', one.place)
        for _, term in ipairs(one.terms) do redis.call('ZREM', base .. 't:' .. term, one.place) end
        redis.call('HINCRBY', base .. 'sums', 'characters', -one.characters)
      end
    end
    redis.call('ZREMRANGEBYSCORE', base .. 'originals', ARGV[3], ARGV[4])
    if redis.call('EXISTS', base .. 'data', base .. 'originals') == 0 then
      redis.call('DEL', base .. 'sums')
      redis.call('ZREM', KEYS[2], ARGV[2])
    end
    return 'ok'`,
  originals: `return redis.call('ZRANGEBYSCORE', KEYS[1] .. 'originals', ARGV[1], ARGV[2])`,
  expired: `return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. ARGV[1])`,
  characters: `return redis.call('HGET', KEYS[1] .. 'sums', 'characters') or '0'`,
} as const;

/** Runs scripts on a server. Every error is one of ours. */
export class RedisScripts {
  constructor(
    readonly client: RedisClient,
    readonly limit: { readonly timeout: number; readonly wait: Wait },
  ) {}

  async run(
    name: keyof typeof scripts,
    keys: readonly string[],
    values: readonly string[] = [],
  ): Promise<unknown> {
    try {
      const command = ['EVAL', scripts[name], String(keys.length), ...keys, ...values];
      return await inTime(this.client.sendCommand(command), this.limit);
    } catch (error) {
      throw archiveError(error);
    }
  }
}

function archiveError(error: unknown): unknown {
  if (CtxError.isInstance(error)) return error;
  const message = error instanceof Error ? error.message : '';
  if (message.includes('OOM')) return full("The archive's server is full", error);
  if (message.includes('READONLY')) return unavailable('The archive is read-only', error);
  return unavailable("The archive's server cannot be used", error);
}
