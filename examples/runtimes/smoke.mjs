import { outcome } from './conversation.mjs';

console.log(await outcome());
