import { fileURLToPath } from 'node:url';

/** Changes the code in small ways and looks whether a test notices: `npm run mutate -- packages/core/src/budget/trigger.ts`. */
export default {
  plugins: [fileURLToPath(import.meta.resolve('@stryker-mutator/jest-runner'))],
  testRunner: 'jest',
  jest: { configFile: 'jest.config.ts', enableFindRelatedTests: false },
  // It would be rewritten for the copy with TypeScript's old API. Tests need none.
  tsconfigFile: 'none',
  coverageAnalysis: 'perTest',
  // What runs once, when a file is loaded, would take a process of its own for each change.
  ignoreStatic: true,
  concurrency: 2,
  reporters: ['clear-text', 'html'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: '.ctx/mutation.html' },
  tempDirName: '.ctx/mutants',
  allowEmpty: true,
  timeoutMS: 10_000,
};
