import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchSession, loadSessions, sessionFiles } from '../src/index.js';

const data = join(__dirname, '../../../../shared/data');
const bundled = join(__dirname, '../../../examples/sessions');

/** Recorded by others and not part of the repository. */
const isHere = existsSync(data);

/** For the title of a test that needs them. */
export const ifHere = isHere ? '' : ' (none are here, so nothing was checked)';

/** The recorded sessions; none where they are missing. */
export async function realSessions(): Promise<BenchSession[]> {
  return isHere ? (await loadSessions(sessionFiles(data))).sessions : [];
}

/** The sessions of the examples. */
export async function bundledSessions(): Promise<BenchSession[]> {
  return (await loadSessions(sessionFiles(bundled))).sessions;
}
