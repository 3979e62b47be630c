/** What each key of a configuration takes, for a remedy: `Write KEY as …`. */
export const keyForms: Readonly<Record<string, string>> = {
  $schema: 'the URL or path of a JSON schema',
  enabled: 'true or false',
  contextWindow: 'a whole number of tokens above 0',
  reserve: 'a whole number of tokens, 0 or more',
  trigger:
    'an object with one or more of fraction, tokens, messages, allowedTokens, window, cost, any and all',
  fraction: 'a share of the window above 0 and up to 1',
  tokens: 'a whole number of tokens above 0',
  messages: 'a whole number of messages above 0',
  allowedTokens: 'true or false',
  window: 'true or false',
  cost: 'true or false',
  any: 'a list of one or more triggers',
  all: 'a list of one or more triggers',
  target: '{ room }, { fraction } or { tokens }, the first two also with atLeast',
  room: 'a share of what may leave, above 0 and up to 1',
  atLeast: 'a whole number of tokens: above 0 in target, 0 or more in beforeSend',
  warn: 'a share of the window above 0 and up to 1',
  minMessagesToKeep: 'a whole number of messages, 1 or more',
  pipeline: 'a list of one or more names of strategies',
  beforeSend: 'false or { pipeline, atLeast }',
  options: 'an object with an object of options for each strategy: { [name]: { … } }',
  encoding: '"o200k_base" or "cl100k_base"',
  overhead: '{ message, conversation }',
  message: 'a whole number of tokens, 0 or more',
  conversation: 'a whole number of tokens, 0 or more',
  prior: '{ offset, factor, perToolCall, withTools }',
  offset: 'a number of tokens',
  factor: 'a number above 0',
  perToolCall: 'a number of tokens',
  withTools: 'a number of tokens',
  prices: '{ cacheRead, cacheWrite }',
  cacheRead: 'a price from 0 to 1000000, where an ordinary input token costs 1',
  cacheWrite: 'a price from 0 to 1000000, where an ordinary input token costs 1',
  leadingUser: 'true or false',
  reasoning: '"bound", "kept" or "dropped"',
  recallTool: 'the name of a tool',
  rules: 'a list of objects with provider, model and settings',
  provider: 'a name, in which * stands for any text',
  model: 'a model id, in which * stands for any text',
  profile: 'a name',
  profileThresholds: 'an object with a percentage for each profile: { [name]: 80 }',
  priorities: '"default" or "by-length"',
  marker: 'true, false or a text that is not empty',
  background: 'true or false',
  throttleMs: 'a number of ms, 0 or more',
  timeoutMs: 'a number of ms above 0 and up to 2147483647',
  historySize: 'a whole number of records, 1 or more',
  breaker: 'false or { strikes, minReduction, coolDownMs }',
  strikes: 'a whole number, 1 or more',
  minReduction: 'a share from 0 to 1',
  coolDownMs: 'a number of ms, 0 or more',
  seed: 'a whole number',
};

/** The keys in which any name may stand. */
const named = ['options', 'profileThresholds'];

/** What to write at a path: the form of the last key that has one, not looking into names of your own. */
export function formAt(path: readonly PropertyKey[]): string {
  const end = path.findIndex((key) => named.includes(String(key)));
  const keys = end < 0 ? path : path.slice(0, end + 1);
  const key = keys.findLast((one) => typeof one === 'string' && Object.hasOwn(keyForms, one));
  if (key === undefined) return 'A configuration is an object; every key is optional.';
  return `Write ${String(key)} as ${keyForms[String(key)]}.`;
}
