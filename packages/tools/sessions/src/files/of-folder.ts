import { createHash } from 'node:crypto';
import { storedFolder } from '../opencode/database.js';
import { openRegular } from './regular-file.js';

/** Bytes from the beginning of a file: agents note the folder with the first things that they write. */
const headBytes = 1 << 16;

/**
 * True if an agent noted that it worked in a folder when it began a session: the folder's path, or its hash as Gemini CLI writes it.
 * @param path of a session, as `findSessions` gives it
 */
export async function isSessionOf(path: string, folder: string): Promise<boolean> {
  try {
    const stored = await storedFolder(path);
    if (stored !== undefined) return stored === folder;
    const head = await headOf(path);
    const hash = createHash('sha256').update(folder).digest('hex');
    return head.includes(JSON.stringify(folder)) || head.includes(`"${hash}"`);
  } catch {
    // What can't be read is nobody's.
    return false;
  }
}

async function headOf(path: string): Promise<string> {
  const file = await openRegular(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
