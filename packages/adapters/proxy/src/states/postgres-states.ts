import { packageMissing } from '@ctx/core';
import { keptFor, type StateConnection } from './state-connection.js';

const schema = `
  create schema if not exists ctx_proxy;
  create table if not exists ctx_proxy.states (
    key text primary key, version bigint not null, value text not null, changed timestamptz not null default now()
  );
`;
/** Ms that a request waits for the server; without its answer it goes on alone. */
const longestWait = 2_000;
/** Any number that no other program takes for its own lock: the table is made by one process at a time. */
const lock = 7_217_451_004;

/** States in the schema `ctx_proxy` of a Postgres. */
export async function postgresStates(address: string): Promise<StateConnection> {
  const { default: pg } = await import('pg').catch(packageMissing('a store in Postgres', ['pg@8']));
  const pool = new pg.Pool({
    connectionString: address,
    connectionTimeoutMillis: longestWait,
    query_timeout: longestWait,
  });
  // A connection that breaks while nobody uses it is replaced by the next query.
  pool.on('error', () => {});
  try {
    await pool.query(`begin; select pg_advisory_xact_lock(${lock}); ${schema} commit`);
    await pool.query('delete from ctx_proxy.states where changed < now() - $1::interval', [
      `${keptFor} milliseconds`,
    ]);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    get: async (key) => {
      const { rows } = await pool.query('select version, value from ctx_proxy.states where key = $1', [key]);
      const [row] = rows as { version: string; value: string }[];
      return row && { version: Number(row.version), value: row.value };
    },
    put: async (key, value, version) => {
      const sql =
        version === 1
          ? 'insert into ctx_proxy.states values ($1, $3, $2) on conflict do nothing'
          : 'update ctx_proxy.states set value = $2, version = $3, changed = now() where key = $1 and version = $3 - 1';
      const { rowCount } = await pool.query(sql, [key, value, version]);
      return rowCount === 1;
    },
    close: () => pool.end(),
  };
}
