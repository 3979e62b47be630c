import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testArchive } from '@ctx/testing';
import { sqliteArchive } from '../../src/sqlite.js';

const folder = mkdtempSync(join(tmpdir(), 'ctx-archive-'));
afterAll(() => rmSync(folder, { recursive: true }));

let opened = 0;
const file = () => join(folder, `archive-${opened}.db`);

testArchive({
  name: 'The archive in SQLite',
  open(options) {
    opened += 1;
    return sqliteArchive(file(), options);
  },
  openAgain: (options) => sqliteArchive(file(), options),
});
