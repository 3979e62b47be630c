/** What a search that goes back takes long for. */
export const repeatedPatterns: readonly string[] = [
  ...['a', ' ', '\n', '/', '/\n', 'a\u0301', '-- -- ', '|---|\n', 'NAME  ', '</file>\n', '"a": ', '{"a":['],
  ...['(a<b<', "it's ", 'a.b/', '`', '/*', '\r', '。', '<a b="', 'a-', '../', '\ud800', 'def a():\n'],
  ...['# a\n', '&'],
];

/** Functions that count tokens, keep a whole conversation or write to a disk: each character costs them more. */
const slow = new Set([
  ...['core bpeCounter', 'core ContextManager', 'core fileSections', 'core matches'],
  ...['presets presetFor', 'presets explainChoice', 'archive sqliteArchive', 'excerpt excerptOf'],
  ...['conversation Conversations', 'ai-sdk contextMiddleware'],
  'langchain contextMiddleware',
  ...['fetch contextFetch of a chat', 'fetch contextFetch of a text'],
]);

/** Characters of the text that a function gets. Quadratic work on the smallest but one takes ten seconds or more, linear work under one. */
export function sizeFor(name: string): number {
  // A grammar's parser copes with broken syntax in its own time, which the host limits.
  if (name.includes('createFolder')) return 5_000;
  return slow.has(name) ? 100_000 : 150_000;
}

/** Many records are the same whatever the pattern is. */
export const patternsFor = (name: string) =>
  / many |in many/.test(name) ? repeatedPatterns.slice(0, 1) : repeatedPatterns;
