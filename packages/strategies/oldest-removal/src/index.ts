export {
  oldestRemoval /** @deprecated Its name in the documents behind this project; use `oldestRemoval`. */,
  oldestRemoval as OldestRemovalStrategy,
  register,
} from './oldest-removal.js';
