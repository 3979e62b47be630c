/** The paths in a patch of the form `*** Begin Patch`, each once. */
export function pathsInPatch(patch: string): readonly string[] {
  const found = patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: ([^\r\n]+)/gm);
  return [...new Set([...found].map(([, path]) => (path as string).trim()))];
}
