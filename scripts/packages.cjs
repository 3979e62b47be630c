const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const foldersIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
    : [];

const isPackage = (folder) => ['package.json', 'src', 'test'].some((name) => existsSync(join(folder, name)));

function nameOf(folder, place) {
  const file = join(folder, 'package.json');
  const name = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).name : undefined;
  return name?.replace(/^@ctx\//, '') ?? place.slice(place.lastIndexOf('/') + 1);
}

/**
 * The packages of a repository in the order of their names: each folder of `packages`, or each folder of a storey, as `packages/codecs`.
 * @returns what each is called on npm, without `@ctx/`, and its folder in the repository
 */
exports.packagesIn = (root) => {
  const places = foldersIn(join(root, 'packages')).flatMap((storey) => {
    const place = `packages/${storey}`;
    if (isPackage(join(root, place))) return [place];
    return foldersIn(join(root, place))
      .map((name) => `${place}/${name}`)
      .filter((inner) => isPackage(join(root, inner)));
  });
  return places
    .map((folder) => ({ name: nameOf(join(root, folder), folder), folder }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
};
