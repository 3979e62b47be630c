export { OldestRemovalStrategy, oldestRemoval, register } from './oldest-removal.js';
