import { existsSync } from 'node:fs';

/**
 * A `test` that needs files which may be missing. If one is missing, the test is skipped and its title says which.
 * @param files paths of all files that the test reads
 */
export function testWithFiles(name: string, files: readonly string[], run: () => void | Promise<void>): void {
  const missing = files.find((file) => !existsSync(file));
  const body = async () => run();
  if (missing === undefined) test(name, body);
  else test.skip(`${name} (skipped: ${missing} is missing)`, body);
}
