import { constants } from 'node:fs';
import { open, readlink, realpath, stat } from 'node:fs/promises';

/** What the system says about a file without opening it. */
export interface FileStat {
  /** In bytes. */
  readonly size: number;
  readonly dev: number;
  readonly ino: number;
  /** In ms since the epoch. */
  readonly mtimeMs?: number;
  readonly ctimeMs?: number;
  isFile(): boolean;
  isDirectory(): boolean;
}

export interface OpenFile {
  stat(): Promise<FileStat>;
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
  /** Where the opened file really is; undefined if the system does not say. Missing if it never does. */
  realpath?(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** The functions of a file system that this package needs. Another implementation can be passed. */
export interface FileSystem {
  realpath(path: string): Promise<string>;
  stat(path: string): Promise<FileStat>;
  open(path: string): Promise<OpenFile>;
}

/** Opens a file without following a link that replaced it after the check, and without waiting for the other end of a pipe. */
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
const flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;

/** The machine's file system. */
export const nodeFileSystem: FileSystem = {
  realpath: (path) => realpath(path),
  stat: (path) => stat(path),
  async open(path) {
    const file = await open(path, flags);
    return {
      stat: () => file.stat(),
      read: (buffer, offset, length, position) => file.read(buffer, offset, length, position),
      // Only Linux has this link.
      realpath: () => readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined),
      close: () => file.close(),
    };
  },
};
