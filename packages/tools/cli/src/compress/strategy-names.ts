// Written by `npm run generate` from the packages strategy-*.

/** The built-in strategies, in the order of their names: to ask what is registered would load all of them. */
export const strategyNamesKnown = [
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
] as const;
