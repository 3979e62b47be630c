/** @jest-config-loader esbuild-register */
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { packagesIn } from './scripts/packages.cjs';

/**
 * Globals that no test replaces. Code in jest's sandbox looks up each other global by its name every time, which makes loops
 * three times slower.
 */
const unchangedGlobals = [
  'Array BigInt Boolean Error Infinity Intl JSON Map Math Number Object Promise Proxy RangeError Reflect RegExp Set String Symbol',
  'TextDecoder TextEncoder TypeError Uint8Array Uint16Array Uint32Array WeakMap WeakSet isFinite isNaN parseFloat parseInt',
].flatMap((names) => names.split(' '));

/** What zod says in English, for its index of all languages: no test reads another, and each test file would load fifty. */
const english = 'packages/core/node_modules/zod/v4/locales/en.cjs';

const packages = packagesIn('.');

/** `@ctx/NAME` and `@ctx/NAME/DOOR` are read from the sources. */
const sources = Object.fromEntries(
  packages
    .filter(({ folder }) => existsSync(`${folder}/src/index.ts`))
    .flatMap(({ name, folder }) => [
      [`^@ctx/${name}$`, resolve(folder, 'src/index.ts')],
      [`^@ctx/${name}/([^/]+)$`, resolve(folder, 'src/$1.ts')],
    ]),
);

const project = (displayName: string, folder: string, root: string) => ({
  displayName,
  rootDir: `<rootDir>/${folder}`,
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testEnvironment: resolve('scripts/jest/environment.cjs'),
  setupFilesAfterEnv: [resolve('scripts/jest/one-process.ts')],
  moduleNameMapper: {
    ...sources,
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^gpt-tokenizer/encoding/(.*)$': resolve('scripts/jest/encodings/$1.cjs'),
    '^fast-check$': resolve('scripts/jest/fast-check.ts'),
    '^\\.\\./locales/index\\.cjs$': `<rootDir>/${root}/${english}`,
  },
  transform: {
    '\\.[cm]?[jt]sx?$': [
      '@swc/jest',
      {
        swcrc: false,
        jsc: {
          target: 'es2022',
          keepClassNames: true,
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, useDefineForClassFields: true },
        },
        module: { type: 'commonjs' },
      },
    ] as [string, Record<string, unknown>],
  },
  sandboxInjectedGlobals: unchangedGlobals,
  transformIgnorePatterns: ['/node_modules/.*\\.cjs$', '/node_modules/gpt-tokenizer/cjs/'],
});

/** Ms. Some tests work for seconds; on a machine ten times slower they may, too. */
const testTimeout = 120_000;

/** Of what is in use after a test file; some leave open what holds their modules. A new worker takes a second, and none takes a gigabyte. */
const workerIdleMemoryLimit = '450MB';

const rootOf = (folder: string) => relative(folder, '.');

const everything = {
  maxWorkers: 2,
  workerIdleMemoryLimit,
  testTimeout,
  coverageProvider: 'v8',
  collectCoverageFrom: packages.map(({ folder }) => `${folder}/src/**/*.ts`),
  projects: [
    ...packages.map(({ name, folder }) => project(name, folder, rootOf(folder))),
    project('examples', 'examples', '..'),
    project('scripts', 'scripts', '..'),
  ],
};

/**
 * What Stryker runs, `folder:test,test`: one project, in an environment that tells which test runs which code. Without names every test
 * of the package.
 */
const [mutated = '', names = '*'] = process.env.CTX_MUTATED?.split(':') ?? [];

export default mutated === ''
  ? everything
  : {
      ...project('mutated', mutated, rootOf(mutated)),
      rootDir: mutated,
      testMatch: names.split(',').map((name) => `<rootDir>/test/**/${name}.test.ts`),
      testTimeout,
      testEnvironment: '@stryker-mutator/jest-runner/jest-env/node',
    };
