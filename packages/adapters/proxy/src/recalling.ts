import { type Archive, type ContextManager, packageMissing } from '@ctx/core';
import type { ContextFetchOptions } from '@ctx/fetch';
import { openedAt } from './opened-at.js';
import type { ProxyOptions } from './proxy-options.js';

type HiddenTool = NonNullable<ContextFetchOptions['hiddenTool']>;

/** What recall needs, and how it ends. */
export interface Recalling {
  readonly archive: Archive | (() => Archive) | undefined;
  readonly hiddenTool: HiddenTool | undefined;
  close(): Promise<void>;
}

type Opened = Pick<Recalling, 'archive' | 'close'>;

/**
 * Opens what the options say of recall and its archive.
 * @throws as `openedAt`
 */
export async function recalling({ archive, recall = false }: ProxyOptions): Promise<Recalling> {
  const hiddenTool = recall ? await recallOfManagers() : undefined;
  if (typeof archive === 'string')
    return { ...(await openedAt('archive', archive, { sqlite, postgres })), hiddenTool };
  const close = async () => {};
  if (archive !== undefined || !recall) return { archive, hiddenTool, close };
  const { memoryArchive } = await import('@ctx/archive');
  return { archive: () => memoryArchive(), hiddenTool, close };
}

async function recallOfManagers(): Promise<HiddenTool> {
  const { recallTool } = await import('@ctx/recall');
  return recallTool<ContextManager>(async (manager) => {
    // What was removed from the view just now may be on its way into the archive.
    await manager.archived();
    return manager;
  });
}

async function sqlite(address: string): Promise<Opened> {
  const { sqliteArchive } = await import('@ctx/archive/sqlite');
  const archive = await sqliteArchive(address.replace(/^sqlite:(?:\/\/)?/, ''));
  return { archive, close: () => archive.close() };
}

async function postgres(address: string): Promise<Opened> {
  const [{ postgresArchive }, { default: pg }] = await Promise.all([
    import('@ctx/archive/postgres'),
    import('pg').catch(packageMissing('an archive in Postgres', ['pg@8'])),
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
