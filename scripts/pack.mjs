import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pnpm, published, readJson, started } from './tools.mjs';

/** The name of a package's tarball, as npm and pnpm call it. */
const tarballOf = ({ name, version }) => `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;

/**
 * Packs every package that is published as pnpm publishes it, and unpacks it next to the tarball.
 * @param folder where the tarballs go
 * @returns status and print of the packing, and for each package its name, tarball and the folder of what is in it
 */
export async function pack(folder) {
  mkdirSync(folder, { recursive: true });
  const filters = published.flatMap((one) => ['--filter', readJson(join(one, 'package.json')).name]);
  const { status, all } = await started([
    ...pnpm(),
    '--recursive',
    ...filters,
    'pack',
    '--pack-destination',
    folder,
  ]);
  if (status !== 0) return { status, all, packed: [] };
  const packed = published.map((one) => {
    const manifest = readJson(join(one, 'package.json'));
    const unpacked = join(folder, 'unpacked', manifest.name.replace('@ctx/', ''));
    return { name: manifest.name, tarball: join(folder, tarballOf(manifest)), unpacked };
  });
  const missing = packed.filter(({ tarball }) => !readdirSync(folder).includes(basename(tarball)));
  if (missing.length > 0)
    return { status: 1, all: `Not packed: ${missing.map(({ name }) => name).join(', ')}\n`, packed: [] };
  for (const { tarball, unpacked } of packed) unpack(tarball, unpacked);
  return { status, packed };
}

function unpack(tarball, folder) {
  mkdirSync(folder, { recursive: true });
  const { status, stderr, error } = spawnSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  if (status !== 0) throw new Error(`tar can't read ${tarball}: ${error ?? stderr}`);
}
