import type { Archive, ContextManager } from '@ctx/core';
import type { HiddenTool } from '@ctx/fetch';
import type { ProxyOptions } from './proxy-options.js';
import { invalid } from './upstreams.js';

/** What recall needs, and how it ends. */
export interface Recalling {
  readonly archive: Archive | (() => Archive) | undefined;
  readonly hiddenTool: HiddenTool | undefined;
  close(): Promise<void>;
}

/**
 * Opens what the options say of recall and its archive.
 * @throws ConfigError `config-invalid` for an address that is none, or that can not be opened
 */
export async function recalling({ archive, recall = false }: ProxyOptions): Promise<Recalling> {
  const hiddenTool = recall ? await recallOfManagers() : undefined;
  if (typeof archive === 'string') return { ...(await opened(archive)), hiddenTool };
  const close = async () => {};
  if (archive !== undefined || !recall) return { archive, hiddenTool, close };
  const { memoryArchive } = await import('@ctx/archive');
  return { archive: () => memoryArchive(), hiddenTool, close };
}

async function recallOfManagers(): Promise<HiddenTool> {
  const { recallTool } = await import('@ctx/recall');
  return recallTool<ContextManager>(async (manager) => {
    // What left the view just now may be on its way into the archive.
    await manager.archived();
    return manager;
  });
}

async function opened(address: string): Promise<Pick<Recalling, 'archive' | 'close'>> {
  const [scheme = ''] = address.split(':');
  const open = {
    sqlite: sqlite,
    postgres: postgres,
    postgresql: postgres,
    redis: redis,
    rediss: redis,
  }[scheme];
  if (open === undefined)
    // An address may hold a password.
    throw invalid(
      'archive',
      scheme,
      'The archive is not known',
      'Use sqlite:FILE, postgres://… or redis://….',
    );
  try {
    return await open(address);
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    const remedy = 'Check its address and rights, and that its driver is installed: pg or @redis/client.';
    throw invalid('archive', scheme, `The archive can not be opened (${code})`, remedy);
  }
}

async function sqlite(address: string) {
  const { sqliteArchive } = await import('@ctx/archive/sqlite');
  const archive = await sqliteArchive(address.replace(/^sqlite:(?:\/\/)?/, ''));
  return { archive, close: () => archive.close() };
}

async function postgres(address: string) {
  const [{ postgresArchive }, { default: pg }] = await Promise.all([
    import('@ctx/archive/postgres'),
    import('pg'),
  ]);
  const pool = new pg.Pool({ connectionString: address });
  pool.on('error', () => {});
  const end = () => pool.end();
  const archive = await postgresArchive(pool).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  return { archive, close: () => archive.close().then(end) };
}

async function redis(address: string) {
  const [{ redisArchive }, { createClient }] = await Promise.all([
    import('@ctx/archive/redis'),
    import('@redis/client'),
  ]);
  const client = createClient({ url: address });
  client.on('error', () => {});
  await client.connect();
  const archive = redisArchive(client);
  return { archive, close: () => archive.close().then(() => client.destroy()) };
}
