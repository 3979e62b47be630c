import type { PassageSource } from '@ctx/core';
import { findSessions, isSessionOf } from '@ctx/sessions';
import { hasCode } from '../errors.js';
import { sessionMissing } from '../session/choose.js';
import { sessionSource } from './session-source.js';

export interface NewestSessionOptions {
  /** Sessions that an agent began in this folder go before all others. */
  readonly folder: string;
  /** The user's home folder. @default that of this process */
  readonly home?: string | undefined;
  /** Where agents look for folders of their own. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Sessions that are looked at; the one in use is among the newest. */
const mostLookedAt = 20;

/**
 * Reads the newest session of the agents on this machine: each call the one that is the newest then, so that a server which an agent starts
 * once serves all of its sessions. Of several agents in one folder it is the one that wrote last.
 * @throws CtxError `session-missing` if there is none, and as `sessionSource`, from `find` and `read`
 */
export function newestSession(options: NewestSessionOptions): PassageSource {
  let current: { readonly path: string; readonly source: PassageSource } | undefined;
  const inNewest = async <Result>(ask: (source: PassageSource) => Promise<Result>): Promise<Result> => {
    let reason: unknown;
    for (const path of await newestFirst(options)) {
      const source = current?.path === path ? current.source : sessionSource(path);
      try {
        const result = await ask(source);
        current = { path, source };
        return result;
      } catch (error) {
        // A session that was only begun is not the one that asks.
        if (!hasCode(error, 'session-empty')) throw error;
        reason ??= error;
      }
    }
    throw reason ?? sessionMissing();
  };
  return {
    find: (query, about) => inNewest((source) => source.find(query, about)),
    read: (ref, about) => inNewest((source) => source.read(ref, about)),
  };
}

/** The paths of the newest sessions, those of the folder first. */
async function newestFirst({ folder, home, env }: NewestSessionOptions): Promise<readonly string[]> {
  const found = await findSessions({
    ...(home !== undefined && { home }),
    ...(env !== undefined && { env }),
  });
  const paths = found.slice(0, mostLookedAt).map(({ path }) => path);
  const own = await Promise.all(paths.map((path) => isSessionOf(path, folder)));
  return [...paths.filter((_, at) => own[at]), ...paths.filter((_, at) => !own[at])];
}
