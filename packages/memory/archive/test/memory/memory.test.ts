import { testArchive } from '@ctx/testing';
import { memoryArchive } from '../../src/index.js';

testArchive({ name: 'The archive in memory', open: async (options) => memoryArchive(options) });
