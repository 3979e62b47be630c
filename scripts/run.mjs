import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { command, node, packages, pnpm, readJson, root } from './tools.mjs';

/** The folder in which the user started npm; their paths are relative to it. */
const userFolder = process.env.INIT_CWD ?? process.cwd();

/** What is installed separately: 130 MB for the documentation site, which few need, and everything else. */
const installs = {
  all: { stampFile: join(root, 'node_modules/.ctx-install'), filter: '!@ctx/site' },
  site: { stampFile: join(root, 'site/node_modules/.ctx-install'), filter: '@ctx/site' },
};

const tasks = {
  ctx: (args) => node([join(root, 'packages/tools/cli/dist/bin.js'), ...args], { cwd: userFolder }),
  demo: (args) => example('demo.ts', args),
  bench: (args) => example('benchmarks/compare.ts', args),
  'bench:speed': (args) => example('benchmarks/speed.ts', args),
  fuzz: (args) => node([join(root, 'packages/testing/fuzz/dist/main.js'), ...args], { cwd: userFolder }),
  test: (args) => test([...args, '--testPathIgnorePatterns', slowTests]),
  'test:all': (args) => test(args, { CTX_RUNS: process.env.CTX_RUNS ?? String(thorough) }),
  check: () => node([join(root, 'scripts/check.mjs')]),
  build,
  mutate,
  generate,
  format: (args) => node([command('@biomejs/biome', 'biome'), 'check', '--write', ...args]),
  api: () => node([join(root, 'scripts/api.mjs'), root, '--write']),
  readme: () => node([join(root, 'scripts/readme.mjs')]),
  pack: packFor,
  agents: () => node([join(root, 'scripts/install-agents.mjs')]),
  lock: () => install('--no-frozen-lockfile'),
  site: () => node([join(root, 'site/build.mjs')]),
  'new-strategy': (args) => newPackage('new-strategy', args),
  'new-codec': (args) => newPackage('new-codec', args),
};

const compile = () =>
  node([command('typescript', 'tsc'), '-b']) ||
  node([join(root, 'scripts/bundle.mjs')]) ||
  node([join(root, 'scripts/mod.mjs')]);

/** What lists the strategies comes first, as without it a new one is not compiled; the tables are of compiled schemas. */
function generate() {
  const script = join(root, 'scripts/strategies.mjs');
  const configKeys = join(root, 'scripts/config-keys.mjs');
  return node([script, '--lists']) || compile() || node([script]) || node([configKeys]);
}

/** Looks at the project of the user's before anything is built; compiles only what changed. */
function packFor([target, ...names]) {
  const script = join(root, 'scripts/pack-for.mjs');
  const args = [...(target === undefined ? [] : [resolve(userFolder, target)]), ...names];
  return node([script, '--look', ...args]) || compile() || node([script, ...args]);
}

/** @param script `new-strategy` or `new-codec` */
function newPackage(script, args) {
  return (
    node([join(root, `scripts/${script}.mjs`), ...args]) ||
    install('--no-frozen-lockfile') ||
    generate() ||
    tasks.api()
  );
}

function stamp() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  const manifests = [root, join(root, 'examples'), join(root, 'site'), ...packages].map((folder) =>
    join(folder, 'package.json'),
  );
  for (const file of [join(root, 'pnpm-lock.yaml'), join(root, 'pnpm-workspace.yaml'), ...manifests]) {
    if (existsSync(file)) hash.update(relative(root, file)).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** Installs with pnpm; a lockfile can be written only for everything at once. */
function install(flag, filters = []) {
  const only = filters.flatMap((filter) => ['--filter', filter]);
  const status = node([...pnpm(), ...only, 'install', flag], { env: { CI: 'true' } });
  const done = Object.values(installs).filter(({ filter }) => only.length === 0 || filters.includes(filter));
  if (status === 0) for (const { stampFile } of done) writeFileSync(stampFile, stamp());
  return status;
}

/** Installs what is missing or was installed for other manifests. */
function installMissing(...names) {
  const stamped = ({ stampFile }) => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp();
  const missing = names.map((name) => installs[name]).filter((one) => !stamped(one));
  return missing.length === 0
    ? 0
    : install(
        '--frozen-lockfile',
        missing.map(({ filter }) => filter),
      );
}

/** Starts from nothing, because tsc neither removes the output of a deleted source nor restores a deleted output. */
function build() {
  for (const folder of packages) rmSync(join(folder, 'dist'), { recursive: true, force: true });
  return compile();
}

function example(file, args) {
  return node(['--import', import.meta.resolve('tsx'), join(root, 'examples', file), ...args], {
    cwd: userFolder,
    env: { TSX_TSCONFIG_PATH: join(root, 'tsconfig.json') },
  });
}

/** The titles of skipped tests; each says why. A title is listed once for all tests under it. */
function skippedIn(testResults) {
  const titles = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'pending')
    .map(({ ancestorTitles, title }) => [...ancestorTitles, title].find((one) => one.includes('(skipped: ')));
  return new Set(titles.filter((title) => title !== undefined));
}

/**
 * What jest's workers take over from jest: 64 MB for what was made last, 16 by default, with which they collect garbage an eighth faster. In
 * Node 20 code is compiled for speed when it has run eight times as long as usual; most of it is over before that pays, and compiling was a
 * quarter of the work. Later versions decide in another way.
 */
const workersTake = [
  '--max-semi-space-size=64',
  ...(process.versions.node.startsWith('20.') ? ['--interrupt-budget=540000'] : []),
];

/** Tests that start processes, databases, browsers or agents of SDKs: scripts/jest/one-process.ts sees to it that no other does. */
const slowTests = '\\.slow\\.test\\.ts$';

/** How many times as often as in `npm test` properties are tried. */
const thorough = 3;

/** A suite that could not start counts as one failure; jest's number of failed tests leaves it out. */
function test(args, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-test-'));
  const report = join(folder, 'report.json');
  const status = node([...workersTake, command('jest'), ...args, '--json', `--outputFile=${report}`], {
    env,
  });
  if (existsSync(report)) {
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults } = readJson(report);
    for (const name of skippedIn(testResults)) console.log(name);
    console.log(`${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed`);
  }
  rmSync(folder, { recursive: true });
  return status;
}

/** Changes files of one package in small ways, and checks whether its tests notice. */
function mutate(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { tests: { type: 'string' } },
  });
  const files = positionals.map((path) => relative(root, resolve(userFolder, path)).split(sep).join('/'));
  const [folder, ...others] = new Set(files.map((file) => /^(packages\/.+?)\/src\//.exec(file)?.[1]));
  if (folder === undefined || others.length > 0) {
    console.error('Give files of one package: npm run mutate -- packages/core/src/budget/trigger.ts');
    return 1;
  }
  const tests = values.tests ?? files.map((file) => basename(file, '.ts')).join(',');
  const stryker = command('@stryker-mutator/core', 'stryker');
  return node([stryker, 'run', '--mutate', files.join(',')], { env: { CTX_MUTATED: `${folder}:${tests}` } });
}

const [name = '', ...args] = process.argv.slice(2);
if (!Object.hasOwn(tasks, name)) {
  console.error(`Unknown task "${name}". Known tasks: ${Object.keys(tasks).join(', ')}`);
  process.exit(1);
}
const steps = [
  () =>
    name === 'lock' || name === 'agents' ? 0 : installMissing('all', ...(name === 'site' ? ['site'] : [])),
  () =>
    ['ctx', 'demo', 'test', 'test:all', 'bench', 'bench:speed', 'fuzz', 'readme', 'api', 'site'].includes(
      name,
    )
      ? compile()
      : 0,
  () => tasks[name](args),
];
for (const step of steps) {
  process.exitCode = step();
  if (process.exitCode !== 0) break;
}
