import fc, { type Parameters } from '../../node_modules/fast-check/lib/cjs/fast-check.js';

/** How many times the usual number of random runs: 3 in `npm run test:all`. Below 1 some tests say that they saw too little. */
const factor = Number(process.env.CTX_RUNS ?? 1);
if (!(factor > 0)) throw new Error(`CTX_RUNS has to be a number above 0, got "${process.env.CTX_RUNS}".`);

/** Runs of a property that names no number: a third of what fast-check takes, as `npm run test:all` has three times as many. */
const usual = 34;

/** Examples, such as seeds that failed once, are tried whatever the factor. */
function scaled<T>(parameters: Parameters<T> = {}): Parameters<T> {
  const { numRuns = usual, examples = [] } = parameters;
  return { ...parameters, numRuns: Math.max(Math.ceil(numRuns * factor), examples.length) };
}

/** What tests get for `fast-check`: the same, with `CTX_RUNS` times as many runs of each property. */
const fastCheck: typeof fc = {
  ...fc,
  assert: ((property, parameters) => fc.assert(property, scaled(parameters))) as typeof fc.assert,
};

// biome-ignore lint/style/noDefaultExport: fast-check has one.
export { fastCheck as default };
