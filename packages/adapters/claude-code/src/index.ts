export { estimateTokens } from '@ctx/core/light';
export { shortened } from './arrivals.js';
export { type Compacted, type CompactOptions, compact, type Report, type Usage } from './compact.js';
export { readInRanges } from './file-ranges.js';
export { liveSession, type Session, sessionOf } from './originals.js';
export { recall } from './recall.js';
export { asTheyAre, messagesOf, type Row, rowsOfMessages } from './rows.js';
export { isShownWhole, shownFiles } from './shown-files.js';
export { statusOf } from './status.js';
