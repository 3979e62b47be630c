export { langchainCodec } from './langchain-codec.js';
