export { register, relevance } from './relevance.js';
