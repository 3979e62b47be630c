export { type ContextAt, contextAt } from './context-at.js';
export { detectFormat } from './detect.js';
export { type FindOptions, type FoundSession, findSessions, sessionFilesIn } from './find.js';
export { followSession, type SessionFollower } from './follow.js';
export { isSessionOf } from './of-folder.js';
export { readSession, readSessions } from './read-session.js';
export { readSessionText } from './read-text.js';
export {
  type Compaction,
  type Note,
  type ReadOptions,
  type Session,
  type SessionFormat,
  sessionFormats,
  type UsageReport,
} from './session.js';
export { writingLosses } from './write/losses.js';
export { writeSession } from './write/write-session.js';
export type { WritableSession } from './write/writing.js';
