import { postgresArchive } from '../../src/postgres.js';

test.each([[undefined], [null], ['postgres://localhost/ctx'], [{}]])(
  '%p is refused as a pool',
  async (pool) => {
    const refused = { code: 'config-invalid', place: 'pool', value: pool };
    await expect(postgresArchive(pool as never)).rejects.toMatchObject(refused);
  },
);
