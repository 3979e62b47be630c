import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { openStates } from '../../src/states/open-states.js';
import { answers, longHistory, request, startOne, startUpstream } from '../upstream.js';
import { describeSqlite } from './servers.js';
import { testSharing } from './sharing.js';

const folder = mkdtempSync(join(tmpdir(), 'ctx-states-'));
let files = 0;
const newFile = () => {
  files += 1;
  return join(folder, `${files}.sqlite`);
};
const foreign = (file: string) => {
  const database = new DatabaseSync(file);
  database.exec('create table notes (text)');
  database.close();
};
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeSqlite('%s', testSharing);

test('the file is its owner’s, and nothing that was said can be read in it', async () => {
  const upstream = await startUpstream(answers);
  const file = newFile();
  const proxy = await startOne({ upstream: upstream.url, store: `sqlite:${file}` });
  await (await proxy.post(request(longHistory(60, 'private')))).arrayBuffer();
  expect(proxy.status().conversations[0]?.compressions).toBe(1);
  const bytes = ['', '-wal'].map((end) => readFileSync(`${file}${end}`, 'latin1')).join('');
  expect(bytes).toContain('states');
  expect(bytes).not.toMatch(/private|key-of-ann|Be brief/);
  expect(['', '-wal', '-shm'].map((end) => statSync(`${file}${end}`).mode & 0o777)).toEqual([
    0o600, 0o600, 0o600,
  ]);
});

test.each([
  ['a device', () => symlinkSync('/dev/null', newFile()), /not a regular file/],
  ['a folder', () => mkdirSync(newFile()), /not a regular file/],
  ['the database of another program', () => foreign(newFile()), /database of another program/],
])('%s is refused as a store, and stays as it is', async (_, make, problem) => {
  make();
  const path = join(folder, `${files}.sqlite`);
  const before = statSync(path).mode;
  await expect(openStates(`sqlite:${path}`)).rejects.toMatchObject({
    code: 'config-invalid',
    place: 'store',
  });
  await expect(openStates(`sqlite:${path}`)).rejects.toThrow(problem);
  // Its permissions too: a device of the machine is everybody's.
  expect(statSync(path).mode).toBe(before);
});

test('an empty file is a new store', async () => {
  const file = newFile();
  writeFileSync(file, '');
  const states = await openStates(`sqlite:${file}`);
  expect(await states.put('key', 'value', 1)).toBe(true);
  await states.close();
});

test('a store that is gone loses no request', async () => {
  const upstream = await startUpstream(answers);
  const warnings: string[] = [];
  const onWarning = ({ code }: { readonly code: string }) => warnings.push(code);
  const states = await openStates(`sqlite:${newFile()}`);
  await states.close();
  await expect(states.get('key')).rejects.toThrow();
  const address = `sqlite:${newFile()}`;
  const proxy = await startOne({ upstream: upstream.url, store: address, onWarning });
  const database = new DatabaseSync(address.slice('sqlite:'.length));
  database.exec('drop table states');
  database.close();
  const response = await proxy.post(request(longHistory(60)));
  expect([response.status, response.headers.get('x-ctx-compressions')]).toEqual([200, '1']);
  expect(warnings).toEqual(['store-failed']);
});

test.each(['postgres://nobody:secret@127.0.0.1:1/x', `sqlite:${folder}`])(
  'the address %s, where there is no store, is refused, and its password is not said',
  async (address) => {
    const refused = openStates(address);
    await expect(refused).rejects.toMatchObject({ code: 'config-invalid', place: 'store' });
    await expect(refused).rejects.not.toThrow(/secret/);
  },
);
