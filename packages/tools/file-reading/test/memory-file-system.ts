import type { FileSystem } from '@ctx/file-reading';
import type { FileStat } from '@ctx/strategy-file-folding/folder-reader';
import { fileSizeInfo } from '../src/size-check.js';

export interface MemoryFile {
  /** What `stat` says; the length of the content if missing. */
  readonly size?: number;
  readonly content: string | Uint8Array;
}

export interface MemoryFileSystem extends FileSystem {
  /** The absolute paths that were opened, in order. */
  readonly opened: string[];
  /** The bytes that were read of each path. */
  readonly bytesRead: Map<string, number>;
}

/** Files in memory, with a record of what was done with them. */
export function memoryFileSystem(given: Readonly<Record<string, MemoryFile | string>>): MemoryFileSystem {
  const files = Object.fromEntries(
    Object.entries(given).map(([path, file]) => [path, typeof file === 'string' ? { content: file } : file]),
  );
  const opened: string[] = [];
  const bytesRead = new Map<string, number>();
  const paths = Object.keys(files);
  const bytesOf = (file: MemoryFile) =>
    typeof file.content === 'string' ? new TextEncoder().encode(file.content) : file.content;
  const find = (path: string): MemoryFile => {
    const file = files[path];
    if (file === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
    return file;
  };
  const statOf = (path: string, size: number): FileStat => ({
    size,
    dev: 1,
    ino: paths.indexOf(path),
    isFile: () => true,
    isDirectory: () => false,
  });
  return {
    opened,
    bytesRead,
    realpath: async (path) => path,
    async stat(path) {
      const file = find(path);
      return statOf(path, file.size ?? bytesOf(file).length);
    },
    async open(path) {
      const bytes = bytesOf(find(path));
      opened.push(path);
      return {
        stat: async () => statOf(path, bytes.length),
        async read(buffer, offset, length, position) {
          const piece = bytes.subarray(position, position + length);
          buffer.set(piece, offset);
          bytesRead.set(path, (bytesRead.get(path) ?? 0) + piece.length);
          return { bytesRead: piece.length };
        },
        realpath: async () => path,
        close: async () => undefined,
      };
    },
  };
}

/** A file of this number of bytes, as the checks see it. */
export function sized(path: string, sizeInBytes: number, lines?: number) {
  return { path, ...fileSizeInfo(sizeInBytes), ...(lines !== undefined && { lines }) };
}
