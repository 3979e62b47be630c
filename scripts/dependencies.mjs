/** The storeys of packages/, lowest first: what lies in one may depend on packages of its own and of those below. */
export const storeys = ['core', 'strategies', 'codecs', 'memory', 'presets', 'adapters', 'tools', 'testing'];

/** What each package may depend on. A new package gets a row here, unless it is a strategy or a codec. */
const strategy = ['@ctx/core', 'zod'];

/** Package → what its code may depend on; a string is a package, a pattern is a family of them. */
const mayDependOn = {
  core: ['gpt-tokenizer', 'eventemitter3', 'zod', 'tsyringe', 'reflect-metadata'],
  'strategy-file-folding': [...strategy, /tree-sitter/, 'ignore'],
  excerpt: ['@ctx/core'],
  'strategy-condense': [...strategy, '@ctx/excerpt'],
  'strategy-relevance': [...strategy, '@ctx/excerpt'],
  'file-reading': ['@ctx/core', '@ctx/strategy-file-folding', 'zod'],
  telemetry: ['@ctx/core', '@opentelemetry/api'],
  presets: ['@ctx/core', /^@ctx\/strategy-/, 'zod'],
  archive: ['@ctx/core', '@photostructure/sqlite'],
  conversation: ['@ctx/core', '@ctx/presets'],
  recall: ['@ctx/core', '@ctx/archive', '@modelcontextprotocol/server', 'ai', '@langchain/core'],
  fetch: ['@ctx/core', '@ctx/conversation', /^@ctx\/codec-/, 'eventsource-parser', 'fzstd'],
  proxy: [
    '@ctx/archive',
    '@ctx/core',
    '@ctx/conversation',
    '@ctx/fetch',
    '@ctx/recall',
    'jiti',
    '@photostructure/sqlite',
    'pg',
  ],
  'ai-sdk': ['@ctx/core', '@ctx/conversation', '@ctx/codec-ai-sdk', 'ai'],
  langchain: ['@ctx/core', '@ctx/conversation', '@ctx/codec-langchain', '@langchain/core', 'langchain'],
  'claude-code': ['@ctx/core', '@ctx/excerpt', /^@ctx\/strategy-(?:oldest-removal|relevance|tool-results)$/],
  'codec-langchain': ['@ctx/core', '@langchain/core'],
  sessions: ['@ctx/core', /^@ctx\/codec-/, 'zod', '@photostructure/sqlite'],
  testing: ['@ctx/core', 'fast-check', 'zod'],
  servers: ['@ctx/core'],
  fuzz: [
    '@ctx/core',
    '@ctx/presets',
    '@ctx/strategy-condense',
    /^@ctx\/codec-/,
    '@ctx/testing',
    'fast-check',
  ],
};
/** What packages may depend on that the table does not name, by the beginning of their names. */
const families = {
  'agents-test': [/^/],
  bench: [/^/],
  cli: [/^/],
  'strategy-': strategy,
  'codec-': strategy,
};
const familyOf = (name) => Object.keys(families).find((family) => name.startsWith(family));
/** What a package may depend on; undefined for one that nobody has thought of. */
export const rulesOf = (name) => mayDependOn[name] ?? families[familyOf(name)];
