import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pnpm, published, readJson, started } from './tools.mjs';

/** The name of a package's tarball, as npm and pnpm call it. */
const tarballOf = ({ name, version }) => `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;

/**
 * Packs packages as pnpm publishes them.
 * @param folder where the tarballs go
 * @param folders those of the packages, by default of every one that is published
 * @returns status and print of the packing, and for each package its name and tarball
 */
export async function packInto(folder, folders = published) {
  mkdirSync(folder, { recursive: true });
  const filters = folders.flatMap((one) => ['--filter', readJson(join(one, 'package.json')).name]);
  const { status, all } = await started([
    ...pnpm(),
    '--recursive',
    // prepack only sees to it that pnpm packs, and takes longer than the rest.
    '--config.ignore-scripts=true',
    ...filters,
    'pack',
    '--pack-destination',
    folder,
  ]);
  if (status !== 0) return { status, all, packed: [] };
  const packed = folders.map((one) => {
    const manifest = readJson(join(one, 'package.json'));
    return { name: manifest.name, tarball: join(folder, tarballOf(manifest)) };
  });
  const missing = packed.filter(({ tarball }) => !readdirSync(folder).includes(basename(tarball)));
  if (missing.length > 0)
    return { status: 1, all: `Not packed: ${missing.map(({ name }) => name).join(', ')}\n`, packed: [] };
  return { status, packed };
}

/** Packs every package, and unpacks it next to its tarball, in the folder `unpacked` of what is returned. */
export async function pack(folder) {
  const done = await packInto(folder);
  const packed = done.packed.map((one) => ({
    ...one,
    unpacked: join(folder, 'unpacked', one.name.replace('@ctx/', '')),
  }));
  for (const { tarball, unpacked } of packed) unpack(tarball, unpacked);
  return { ...done, packed };
}

function unpack(tarball, folder) {
  mkdirSync(folder, { recursive: true });
  const { status, stderr, error } = spawnSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  if (status !== 0) throw new Error(`tar can't read ${tarball}: ${error ?? stderr}`);
}
