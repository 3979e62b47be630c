export { MiddleRemovalStrategy, middleRemoval, register } from './middle-removal.js';
