import { testStrategy } from '@ctx/testing';
import { relevance } from '../src/index.js';

testStrategy('relevance', () => relevance());
