export { type ContextAt, contextAt } from './context-at.js';
export { detectFormat } from './detect.js';
export { type FindOptions, type FoundSession, findSessions, newestIn } from './find.js';
export { followSession, type SessionFollower } from './follow.js';
export { readSession, readSessions } from './read-session.js';
export {
  type Compaction,
  type Note,
  type ReadOptions,
  type Session,
  type SessionFormat,
  sessionFormats,
  type UsageReport,
} from './session.js';
