/** @jest-config-loader esbuild-register */
import { resolve } from 'node:path';
import { unchangedGlobals } from './scripts/jest/unchanged-globals.cjs';
import { packagesIn } from './scripts/packages.cjs';

const packages = packagesIn('.');

const project = (displayName: string, folder: string) => ({
  displayName,
  rootDir: `<rootDir>/${folder}`,
  testMatch: ['<rootDir>/test/**/*.test.ts'],
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

const everything = {
  maxWorkers: 2,
  workerIdleMemoryLimit,
  testTimeout,
  coverageProvider: 'v8',
  collectCoverageFrom: packages.map(({ folder }) => `${folder}/src/**/*.ts`),
  projects: [
    ...packages.map(({ name, folder }) => project(name, folder)),
    project('examples', 'examples'),
    project('scripts', 'scripts'),
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
      ...project('mutated', mutated),
      rootDir: mutated,
      testMatch: names.split(',').map((name) => `<rootDir>/test/**/${name}.test.ts`),
      testTimeout,
      testEnvironment: '@stryker-mutator/jest-runner/jest-env/node',
      sandboxInjectedGlobals: unchangedGlobals,
    };
