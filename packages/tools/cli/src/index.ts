export { exitCodes } from './exit-codes.js';
export { run } from './run.js';
export { type Io, processIo } from './terminal/io.js';
