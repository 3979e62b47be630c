/** An archive that takes everything, and finds nothing. */
export const idleArchive = {
  put: async () => {},
  keep: async () => {},
  get: async () => [],
  search: async () => [],
  forget: async () => {},
  close: async () => {},
};
