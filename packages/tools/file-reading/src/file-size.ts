import {
  type FileProblem,
  type FileSystem,
  kindProblem,
  nodeFileSystem,
  problemOf,
} from '@ctx/folder-reader';

/** 2 to the power of 20, as file managers count. */
const bytesPerMB = 1_048_576;
/** Bytes per token of English text and code. A file is not opened to find out what it holds. */
const bytesPerToken = 4;

export interface FileSizeInfo {
  readonly sizeInBytes: number;
  /** Megabytes of 1,048,576 bytes. */
  readonly sizeInMB: number;
  /** A quarter of the bytes. */
  readonly estimatedTokens: number;
  readonly isEstimate: true;
}

/** The figures for a size in bytes. */
export function fileSizeInfo(sizeInBytes: number): FileSizeInfo {
  return {
    sizeInBytes,
    sizeInMB: sizeInBytes / bytesPerMB,
    estimatedTokens: Math.ceil(sizeInBytes / bytesPerToken),
    isEstimate: true,
  };
}

/**
 * The size of a file, as the system reports it, without opening the file. Follows links. For anything but a regular file it returns a
 * problem; it never throws.
 */
export async function getFileSizeInfo(
  path: string,
  fileSystem: Pick<FileSystem, 'stat'> = nodeFileSystem,
): Promise<FileSizeInfo | FileProblem> {
  try {
    const stat = await fileSystem.stat(path);
    return kindProblem(stat) ?? fileSizeInfo(stat.size);
  } catch (error) {
    return problemOf(error);
  }
}
