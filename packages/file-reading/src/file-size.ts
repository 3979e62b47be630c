import {
  type FileProblem,
  type FileSystem,
  kindProblem,
  nodeFileSystem,
  problemOf,
} from '@ctx/folder-reader';

const bytesPerMB = 1_048_576;
/** Of English text and code; a file is not opened to find out what it is. */
const bytesPerToken = 4;

export interface FileSizeInfo {
  readonly sizeInBytes: number;
  /** Of 1,048,576 bytes. */
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
 * The size of a file, as the system has it: the file is not opened. Links are followed. A path that is no regular file
 * gives a problem instead; nothing is thrown.
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
