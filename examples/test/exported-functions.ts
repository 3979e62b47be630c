import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagesIn } from '../../scripts/packages.cjs';
import { textFunctions } from './text-functions.js';

const root = join(__dirname, '../..');

/** Exported functions that no text goes through, or that are seen elsewhere, by the reason and the package. */
const others: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'counts, figures and kinds only': {
    archive: 'refText',
    'codec-ai-sdk': 'promptCodecFor',
    core: `
      allowedTokens isClosing contextBudget effectiveThreshold fillsWindow firedBy packageMissing seededRandom
      slicer`,
    excerpt: 'candidatesOf choose heldWith hold indexOfConversation linesOf namedSince sourcesIn',
    'file-reading':
      'canAddTokens checkBatch checkFileSize getFileReadingLimitsForModel recommendFileReadingStrategy',
    presets: 'willManageContext',
    'strategy-hybrid': 'efficiency',
    'strategy-importance': 'bandOf messagesToKeep selectMessagesToKeep',
    'strategy-smart-truncation': 'Middle',
  },
  'made of functions in the table, or a form of them': {
    archive: 'archiveOn loadSqlite postgresArchive',
    core: `
      CallIds ConfigError compressLightly overflowKind ofMessages resultsInPlace skipSpace skipValue extentOf
      ContextOverflowError ValidationError MessageCounter SlotCodec View messagesIn startOf endOf applyEdits replacePart
      compressMessages cutJsonInSteps cutTextInSteps exchangesInSteps finish inSlices codecThrough defineConfig
      faultsIn isTextOutput jsonOrText outputText parseOptions partText partsOf saidParts settingsFor toolCallsOf validateView
      malformed pairRules repeated violationsOf`,
    'claude-code':
      'asTheyAre compact liveSession messagesOf readInRanges rowsOfMessages sessionOf shownFiles statusOf',
    'strategy-oldest-removal': 'planOldestRemoval',
    'strategy-relevance': 'planRelevance',
    'strategy-tool-results': 'planToolResults',
    'agents-test': 'runTasks runTool startServerFor tasks',
    'codec-anthropic': 'validate',
    'codec-google': 'validate',
    conversation: 'Conversation codeOf ownCompaction refuseOptions threadObstacle',
    'codec-openai': 'validate',
    'file-reading': 'checkFile getFileSizeInfo',
    recall: 'aiSdkRecall langchainRecall passagesOf serveRecall',
    cli: 'processIo run',
    fetch: 'ContextRequests contextBedrock isReadEndpoint',
    proxy: 'proxyCommand startProxy',
    sessions: 'contextAt findSessions isSessionOf readSessions sessionFilesIn',
    presets: 'restoreInSteps createContextManager defaults manageContext restore',
    'strategy-condense': 'createSummarizer',
    'strategy-file-folding': 'foldFiles fileProblem fill isProblem kindProblem locate problemOf withFile',
  },
  'compare, sort or look up one key': {
    core: `
      about CallNames fewerTokens whileEnoughStay compareByPriority dropsInOrder exchangesOf digestOf fieldsOf
      isFields isResolved nameAt numberText nativeInvalid refuseTooDeep segmentsOf stringAt waiting
      withoutBytes`,
    conversation: 'RecentMap windowOf',
  },
  'registrations and tokens': {
    core: `
      registerAgentTexts registerEditKind registerNods registerNativeForm createContainer defineStrategy inject
      injectable optionsToken registerPreset registerResolver registerStrategy strategyFactory strategyNames
      strategyToken`,
    presets: 'registerDefaults',
    telemetry: 'instrument',
  },
  'parts of a strategy, which repeated-patterns.slow.test.ts of presets runs': {
    excerpt: 'unitsOf',
    'strategy-smart-truncation': 'centreRemoval foldReads toolFilter',
  },
  'clients of models, which pass texts on': {
    'agents-test': `
      agentsSdkAgent bedrock bedrockStreamed langChainAgent measuredRun newNode ollamaCut setUpRow taskScript`,
    conversation: 'SealedStates Warnings fileStore memoryStateStore',
    'strategy-condense': 'chatModelOf',
  },
};

/** What a package exports, through all of its doors but the one that leads to a dependency. */
async function exportsOf(folder: string): Promise<[string, unknown][]> {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const doors = Object.keys(exports).filter((door) => door !== './zod');
  const files = doors.map((door) => join(folder, 'src', `${door === '.' ? 'index' : door}.ts`));
  const all = await Promise.all(files.map(async (file) => Object.entries(await import(file))));
  return [...new Map(all.flat())];
}

/** They are not for hosts: they measure and test. */
const notForHosts = ['bench', 'fuzz', 'servers', 'testing'];
/** Loads the SDKs of all providers. */
const withSdks = 'agents-test';

/** Expects of every exported function that it takes its text in the table, or is listed with the reason why it needs not. */
export async function expectListed(which: 'with SDKs' | 'without SDKs'): Promise<void> {
  const isMeant = (name: string) =>
    !notForHosts.includes(name) && (name === withSdks) === (which === 'with SDKs');
  const packages = packagesIn(root).filter(({ name }) => isMeant(name));
  const inTable = Object.keys(textFunctions('')).map((name) => name.split(/[ .]/).slice(0, 2).join(' '));
  const listed = Object.values(others).flatMap((reasons) =>
    Object.entries(reasons).flatMap(([name, functions]) =>
      functions
        .trim()
        .split(/\s+/)
        .map((one) => `${name} ${one}`),
    ),
  );
  const exported: string[] = [];
  for (const { name, folder } of packages) {
    for (const [key, value] of await exportsOf(join(root, folder))) {
      const isCodec = typeof value === 'object' && value !== null && 'toMessages' in value;
      const isStrategy = typeof value === 'function' && 'declaration' in value;
      const registers = name.startsWith('strategy-') && key === 'register';
      if (isStrategy || registers) continue;
      if (typeof value === 'function' || isCodec) exported.push(`${name} ${key}`);
    }
  }
  const names = new Set(packagesIn(root).map(({ name }) => name));
  const known = new Set([...inTable, ...listed]);
  const ofThese = [...known].filter((one) => {
    const [name = ''] = one.split(' ');
    return !names.has(name) || isMeant(name);
  });
  expect(exported.filter((one) => !known.has(one))).toEqual([]);
  expect(ofThese.filter((one) => !exported.includes(one))).toEqual([]);
  expect(listed.filter((one) => inTable.includes(one))).toEqual([]);
}
