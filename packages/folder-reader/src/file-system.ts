import { constants } from 'node:fs';
import { open, readlink, realpath, stat } from 'node:fs/promises';

/** What the system says of a file without opening it. */
export interface FileStat {
  /** In bytes. */
  readonly size: number;
  readonly dev: number;
  readonly ino: number;
  /** Ms since epoch. */
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
  /** Where what was opened really is; undefined where the system does not tell. Missing: it never does. */
  realpath?(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** What this package needs of a file system; another one can be passed in its place. */
export interface FileSystem {
  realpath(path: string): Promise<string>;
  stat(path: string): Promise<FileStat>;
  open(path: string): Promise<OpenFile>;
}

/** Not through a link that took the file's place after the check, and without waiting for a pipe's other end. */
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
      // Linux tells; elsewhere there is no such link.
      realpath: () => readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined),
      close: () => file.close(),
    };
  },
};
