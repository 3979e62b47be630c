export { findSessions, isSessionOf, sessionFilesIn } from './files/find.js';
export { readSession, readSessions } from './read-session.js';
export {
  type Compaction,
  contextAt,
  type ReadOptions,
  type Session,
  type SessionFormat,
  sessionFormats,
} from './session.js';
export { writeSession } from './write-session.js';
