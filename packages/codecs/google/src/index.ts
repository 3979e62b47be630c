export type { GoogleConversation } from './content.js';
export { googleCodec } from './google-codec.js';
export { validate } from './validate.js';
