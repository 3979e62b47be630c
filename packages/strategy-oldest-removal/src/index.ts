export {
  type OldestRemovalOptions,
  OldestRemovalStrategy,
  oldestRemoval,
  register,
} from './oldest-removal.js';
