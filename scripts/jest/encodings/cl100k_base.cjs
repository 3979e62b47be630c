const encodingOf = globalThis[Symbol.for('ctx: encodings of gpt-tokenizer')];

// Stryker has an environment of its own.
module.exports =
  encodingOf?.('cl100k_base') ??
  require('../../../packages/core/node_modules/gpt-tokenizer/cjs/encoding/cl100k_base.js');
