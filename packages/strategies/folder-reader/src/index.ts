export {
  type FileProblem,
  type FileProblemReason,
  fileProblem,
  isProblem,
  kindProblem,
  problemOf,
} from './file-problem.js';
export { type FileStat, type FileSystem, nodeFileSystem, type OpenFile } from './file-system.js';
export { type Base, type LocatedFile, locate } from './locate.js';
export { fill, withFile } from './with-file.js';
