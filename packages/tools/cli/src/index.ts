export { exitCodes } from './exit-codes.js';
export { run } from './run.js';
export type { Io } from './terminal/io.js';
export { processIo } from './terminal/process-io.js';
