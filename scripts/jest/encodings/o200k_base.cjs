const encodingOf = globalThis[Symbol.for('ctx: encodings of gpt-tokenizer')];

// Stryker has an environment of its own.
module.exports =
  encodingOf?.('o200k_base') ??
  require('../../../packages/core/node_modules/gpt-tokenizer/cjs/encoding/o200k_base.js');
