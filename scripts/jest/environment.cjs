const { join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');
const { shareCompiledModules } = require('./compiled-modules.cjs');
const storages = require('./current-test.cjs');

const encodings = join(__dirname, '../../packages/core/node_modules/gpt-tokenizer/cjs/encoding');
const loaded = new Map();

/** Loads an encoding of gpt-tokenizer once for all test files of a worker: its table of 200,000 words takes an eighth of a second and 40 MB. */
function encodingOf(name) {
  const encoding = loaded.get(name) ?? require(join(encodings, `${name}.js`));
  loaded.set(name, encoding);
  return encoding;
}

/** Where files in `encodings` find it. */
const shared = Symbol.for('ctx: encodings of gpt-tokenizer');

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
/** Bytes. Test files leave some 20 MB each, of which Node frees little before there are gigabytes. */
const muchGarbage = 120_000_000;
/** Bytes in use after garbage was collected. */
let inUse = process.memoryUsage().heapUsed;

/** Node, with what test files may share as no test changes it. */
module.exports = class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.global[shared] = encodingOf;
    if (!config.globalConfig.collectCoverage) shareCompiledModules();
  }

  async setup() {
    await super.setup();
    storages.forJest();
  }

  /** Jest's own modules are loaded when it has something to say. */
  handleTestEvent() {
    storages.forTests();
  }

  async teardown() {
    storages.forTests();
    storages.disableUsed();
    for (const { clearMergeCache } of loaded.values()) clearMergeCache();
    await super.teardown();
    if (process.memoryUsage().heapUsed - inUse < muchGarbage) return;
    collectGarbage();
    inUse = process.memoryUsage().heapUsed;
  }
};
