/** The built-in strategies, in the order of their names. A test holds the list equal to what is registered; to ask would load all of them. */
export const strategyNamesKnown: readonly string[] = [
  'condense',
  'file-folding',
  'hybrid',
  'importance',
  'middle-removal',
  'oldest-removal',
  'relevance',
  'sliding-window',
  'smart-truncation',
  'tool-results',
];
