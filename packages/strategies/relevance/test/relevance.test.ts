import { testStrategy } from '@ctx/testing';
import { relevance } from '../src/index.js';

testStrategy('relevance', () => relevance());
testStrategy('relevance that explains itself', () => relevance({ explain: true }), { runs: 10 });
