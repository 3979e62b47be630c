/** @jest-config-loader esbuild-register */
import { resolve } from 'node:path';
import { unchangedGlobals } from './scripts/jest/unchanged-globals.cjs';
import { packagesIn } from './scripts/packages.cjs';

const packages = packagesIn('.');

/** How the tests in these folders run. */
const testsIn = (...folders: string[]) => ({
  roots: folders.map((folder) => resolve(folder)),
  testMatch: folders.map((folder) => resolve(folder, 'test/**/*.test.ts')),
  testEnvironment: resolve('scripts/jest/environment.cjs'),
  setupFilesAfterEnv: [resolve('scripts/jest/one-process.ts')],
  resolver: resolve('scripts/jest/resolver.cjs'),
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
  transformIgnorePatterns: ['/node_modules/.*\\.cjs$', '/node_modules/gpt-tokenizer/cjs/'],
});

/** Ms. Some tests work for seconds; on a machine ten times slower they may, too. */
const testTimeout = 120_000;

/** Of what is in use after a test file; some leave open what holds their modules. A new worker takes a second, and none takes a gigabyte. */
const workerIdleMemoryLimit = '450MB';

const projects = [
  ...packages,
  { name: 'examples', folder: 'examples' },
  { name: 'scripts', folder: 'scripts' },
];

/** Jest transforms, resolves and keeps each module once for each project, so there are several only for whoever picks some. */
const isPicked = process.argv.some((arg) => /^--(select|ignore)Projects\b/.test(arg));

const everything = {
  maxWorkers: 2,
  workerIdleMemoryLimit,
  testTimeout,
  coverageProvider: 'v8',
  collectCoverageFrom: packages.map(({ folder }) => `${folder}/src/**/*.ts`),
  ...(isPicked
    ? {
        projects: projects.map(({ name, folder }) => ({
          displayName: name,
          rootDir: `<rootDir>/${folder}`,
          ...testsIn(folder),
        })),
      }
    : testsIn(...projects.map(({ folder }) => folder))),
};

/**
 * What Stryker runs, `folder:test,test`: one project, in an environment that tells which test runs which code. Without names every test
 * of the package.
 */
const [mutated = '', names = '*'] = process.env.CTX_MUTATED?.split(':') ?? [];

export default mutated === ''
  ? everything
  : {
      ...testsIn(mutated),
      rootDir: mutated,
      testMatch: names.split(',').map((name) => `<rootDir>/test/**/${name}.test.ts`),
      testTimeout,
      testEnvironment: '@stryker-mutator/jest-runner/jest-env/node',
      sandboxInjectedGlobals: unchangedGlobals,
    };
