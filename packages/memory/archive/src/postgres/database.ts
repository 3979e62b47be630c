import { CtxError, type Wait } from '@ctx/core';
import { corrupt, full, unavailable } from '../archive-errors.js';

type Row = Readonly<Record<string, unknown>>;

/** The part of a client of `pg` that is used. */
export interface PostgresClient {
  query(sql: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  release(destroy?: boolean): void;
  on?(event: 'error', listener: (error: Error) => void): unknown;
  off?(event: 'error', listener: (error: Error) => void): unknown;
}

/** The part of a `Pool` of `pg` that is used. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
  listenerCount?(event: 'error'): number;
  on?(event: 'error', listener: (error: Error) => void): unknown;
}

export type Query = (sql: string, ...values: unknown[]) => Promise<Row[]>;

/** A database by its pool. Every error is one of ours. */
export class PostgresDatabase {
  constructor(
    readonly pool: PostgresPool,
    readonly limit: { readonly timeout: number; readonly wait: Wait },
  ) {
    // An idle connection that ends would end a process in which nobody listens.
    if (pool.listenerCount?.('error') === 0) pool.on?.('error', ignored);
  }

  /**
   * Runs queries, all or none of which have an effect. If the connection breaks, again on another one: a task that is done twice has done
   * the same, so it may also have been the answer to `commit` that was lost.
   */
  async transaction<Result>(task: (query: Query) => Promise<Result>): Promise<Result> {
    const whole = async (query: Query) => {
      await query('begin');
      const result = await task(query);
      await query('commit');
      return result;
    };
    for (let left = mostConnections; ; left -= 1) {
      try {
        return await this.#run(whole);
      } catch (error) {
        if (left === 0 || !isBroken(error)) throw archiveError(error);
      }
    }
  }

  async #run<Result>(task: (query: Query) => Promise<Result>): Promise<Result> {
    let client: PostgresClient | undefined;
    let finished = false;
    try {
      client = await this.#connected();
      // The query in progress fails too; without a listener the event would end the process.
      client.on?.('error', ignored);
      const { query } = { query: client.query.bind(client) };
      const answer = task(
        async (sql, ...values) => (await query(sql, values.length === 0 ? undefined : values)).rows,
      );
      const result = await inTime(answer, this.limit);
      finished = true;
      return result;
    } finally {
      // A connection in the middle of something is not given back: closing it undoes what it began.
      client?.release(!finished);
      // One that is closed may still fail.
      if (finished) client?.off?.('error', ignored);
    }
  }

  /** A client that comes too late goes back to its pool. */
  async #connected(): Promise<PostgresClient> {
    const connecting = this.pool.connect();
    try {
      return await inTime(connecting, this.limit);
    } catch (error) {
      void connecting.then(
        (client) => client.release(),
        () => undefined,
      );
      throw error;
    }
  }
}

const ignored = () => {};

/** After a restart of the server, as many connections of a pool may be broken. Those of `pg` have 10. */
const mostConnections = 10;

/** True if the connection ended, not the query: by an administrator or a crash (57P), or without an answer of the server. */
function isBroken(error: unknown): boolean {
  if (CtxError.isInstance(error) || !(error instanceof Error)) return false;
  const { code = '' } = error as { code?: string };
  return (
    /^(?:08|57P)/.test(code) ||
    /ECONNRESET|EPIPE/.test(code) ||
    /terminated|not queryable/.test(error.message)
  );
}

function archiveError(error: unknown): unknown {
  if (CtxError.isInstance(error)) return error;
  const { code = '' } = (typeof error === 'object' && error !== null ? error : {}) as { code?: string };
  if (/^53[12]/.test(code)) return full("The archive's server is full", error);
  if (/^XX00/.test(code)) return corrupt('The tables of the archive are damaged', error);
  if (code === '25006') return unavailable('The archive is read-only', error);
  return unavailable("The archive's server cannot be used", error);
}

/** Waits for a server's answer, and no longer than so many ms: some clients wait for a lost server forever. */
async function inTime<Answer>(
  answer: Promise<Answer>,
  { timeout, wait }: { readonly timeout: number; readonly wait: Wait },
): Promise<Answer> {
  let cancel = () => {};
  const late = new Promise<never>((_, fail) => {
    const problem = `The archive's server did not answer within ${timeout} ms`;
    cancel = wait(timeout, () => fail(unavailable(problem)));
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    cancel();
  }
}
