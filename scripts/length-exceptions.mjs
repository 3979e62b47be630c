const undivided = 'older than the rule, to be divided';

/** Files that may have more lines than others, each with the reason. */
export const fileExceptions = {
  'packages/core/src/manager/context-manager.ts':
    'the entrance for users: a line or two of each method, with what they have to know',
  'packages/core/src/budget/meter.ts':
    'one measure: the next request, counted, corrected and compared with its target',
  'packages/core/src/view/conversation.ts':
    'one state and all that changes it: few methods have more than five lines',
  'packages/core/src/compress/compression.ts': 'one compression, from the request to its outcome',
  'packages/core/src/compress/last-resort.ts': 'one plan: what is cut and dropped, in order',
  'packages/core/src/manager/archive-log.ts': 'one log: what is due, written, forgotten and tried again',
  'packages/core/src/config/registry.ts': 'one configuration: what is registered, checked and looked up',
  'packages/core/src/config/config-keys.ts': 'a table: each key with its check, and what it is for',
  'packages/tools/file-reading/src/size-check.ts': 'a table of refusals, and what each one tells the model',
  'packages/memory/archive/src/sqlite/database.ts':
    'one file of SQLite: opened, used, put aside when it is damaged',
  'packages/tools/sessions/src/claude-code/conversation.ts': 'one state and all that changes it',
  'packages/strategies/file-folding/src/definitions/languages.ts':
    'a table: which nodes of which grammar define what',
  'packages/strategies/excerpt/src/sections.ts': 'one reader: how each message is divided into texts',
  'packages/strategies/excerpt/src/choose.ts':
    'one greedy choice: what a unit adds, the queue, and what is covered',
};

/** Functions that may, as `file name`. */
export const functionExceptions = {
  'packages/testing/fuzz/src/perform.ts act': undivided,
  'packages/tools/telemetry/src/instrument.ts instrument': 'a list: what is reported of each event',
  'packages/testing/testing/src/archive/archive-suite.ts testArchive': 'a list of tests, as jest wants them',
  'packages/testing/testing/src/archive/archive-suite.ts a function': 'its describe block',
  'packages/testing/testing/src/archive/search-laws.ts testArchiveSearch':
    'a list of tests, as jest wants them',
};
