import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { storedFolder, storedSessions } from '../opencode/database.js';
import type { SessionFormat } from '../session.js';
import { openRegular } from './regular-file.js';

/** A session file of an agent on this machine. */
interface FoundSession {
  /** Of a file, or of a session in a database: `opencode.db#ses_…`. */
  readonly path: string;
  /** The agent's name, as people write it. */
  readonly agent: string;
  readonly format: SessionFormat;
  /** Ms since epoch: when it was written last. */
  readonly modifiedAt: number;
}

interface FindOptions {
  /** The user's home folder. @default that of this process */
  readonly home?: string;
  /** Where agents look for folders of their own: `CLAUDE_CONFIG_DIR`, `CODEX_HOME`, `PI_CODING_AGENT_DIR`, `XDG_DATA_HOME`. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

type Env = NonNullable<FindOptions['env']>;

/** Where an agent keeps its sessions. */
type Place = readonly [
  agent: string,
  format: SessionFormat,
  folder: (home: string, env: Env) => string,
  /** What the path of a session looks like below the folder, with `/`. */
  path: RegExp,
  /** Files of that look that are none. */
  except?: RegExp,
];

const places: readonly Place[] = [
  [
    'Claude Code',
    'claude-code',
    (home, env) => join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'projects'),
    /^[^/]+\/[^/]+\.jsonl$/,
    // Sub-agents have files of their own: parts of the session that is meant.
    /\/agent-/,
  ],
  [
    'Codex',
    'codex',
    (home, env) => join(env.CODEX_HOME || join(home, '.codex'), 'sessions'),
    /(?:^|\/)rollout-[^/]+\.jsonl$/,
  ],
  ['Gemini CLI', 'gemini', (home) => join(home, '.gemini/tmp'), /^[^/]+\/chats\/session-[^/]+\.jsonl?$/],
  [
    'Copilot CLI',
    'copilot',
    (home) => join(home, '.copilot/session-state'),
    /^(?:[^/]+\/events|[^/]+)\.jsonl$/,
  ],
  [
    'pi',
    'pi',
    (home, env) => join(env.PI_CODING_AGENT_DIR || join(home, '.pi/agent'), 'sessions'),
    /\.jsonl$/,
  ],
];

/** The session files of the agents on this machine, the newest first. What can't be looked at is skipped. */
export async function findSessions({
  home = homedir(),
  env = process.env,
}: FindOptions = {}): Promise<FoundSession[]> {
  const found = await Promise.all(
    places.map(async ([agent, format, folder, path, except]) => {
      const files = await filesBelow(
        folder(home, env),
        (name) => path.test(name) && except?.test(name) !== true,
      );
      return files.map((file): FoundSession => ({ agent, format, ...file }));
    }),
  );
  return [...found.flat(), ...(await opencodeSessions(home, env))].sort(byTime);
}

/** Sessions of a database that are listed; nobody looks for older ones without knowing where they are. */
const mostStored = 100;

/** OpenCode keeps its sessions in one database. If it can't be opened, it counts as one session, so that reading it says why. */
async function opencodeSessions(home: string, env: Env): Promise<FoundSession[]> {
  const data = env.XDG_DATA_HOME || join(home, '.local/share');
  const path = join(data, 'opencode/opencode.db');
  const about = await stat(path).catch(() => undefined);
  if (about?.isFile() !== true) return [];
  const file = { agent: 'OpenCode', format: 'opencode' as const, path };
  const stored = await storedSessions(path, mostStored).catch(() => undefined);
  if (stored === undefined) return [{ ...file, modifiedAt: about.mtimeMs }];
  return stored.map(({ id, modifiedAt }) => ({ ...file, path: `${path}#${id}`, modifiedAt }));
}

/** The files below a folder that have the name of a session, `.json` or `.jsonl`, those first that were written last. */
export async function sessionFilesIn(folder: string): Promise<string[]> {
  const files = await filesBelow(folder, (name) => /\.jsonl?$/.test(name));
  return files.sort(byTime).map(({ path }) => path);
}

type Found = Pick<FoundSession, 'path' | 'modifiedAt'>;

/** Of two files of one time the one whose path comes first. */
function byTime(a: Found, b: Found): number {
  return b.modifiedAt - a.modifiedAt || (a.path < b.path ? -1 : 1);
}

/** Levels of folders; agents use up to four. */
const deepest = 8;

async function filesBelow(
  folder: string,
  isWanted: (name: string) => boolean,
  below = '',
  depth = 0,
): Promise<Found[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = entries.map(async (entry): Promise<Found[]> => {
    const [path, name] = [join(folder, entry.name), `${below}${entry.name}`];
    if (entry.isDirectory())
      return depth < deepest && entry.name !== 'node_modules'
        ? filesBelow(path, isWanted, `${name}/`, depth + 1)
        : [];
    if (!entry.isFile() || !isWanted(name)) return [];
    const about = await stat(path).catch(() => undefined);
    if (about === undefined || about.size === 0) return [];
    return [{ path, modifiedAt: about.mtimeMs }];
  });
  return (await Promise.all(found)).flat();
}

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
