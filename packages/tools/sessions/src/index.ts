export { contextAt } from './context-at.js';
export { detectFormat } from './files/detect.js';
export { findSessions, sessionFilesIn } from './files/find.js';
export { followSession } from './files/follow.js';
export { isSessionOf } from './files/of-folder.js';
export { readSession, readSessions } from './read-session.js';
export {
  type Compaction,
  type ReadOptions,
  type Session,
  type SessionFormat,
  sessionFormats,
} from './session.js';
export { writingLosses } from './write/losses.js';
export { writeSession } from './write/write-session.js';
export type { WritableSession } from './write/writing.js';
