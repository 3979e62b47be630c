export {
  type MiddleRemovalOptions,
  MiddleRemovalStrategy,
  middleRemoval,
  register,
} from './middle-removal.js';
