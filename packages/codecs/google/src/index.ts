export type {
  GoogleBlob,
  GoogleContent,
  GoogleConversation,
  GoogleFileData,
  GoogleFunctionCall,
  GoogleFunctionResponse,
  GooglePart,
  GoogleRequest,
  SystemInstruction,
} from './content.js';
export { type GoogleCodec, googleCodec } from './google-codec.js';
export { validate } from './validate.js';
