export { type Compacted, type CompactOptions, compact, estimateRows, type Report, type Usage } from './compact.js';
export { messagesOf, type Row, rowsOfMessages } from './rows.js';
