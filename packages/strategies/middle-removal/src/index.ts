export {
  middleRemoval /** @deprecated Its name in the documents behind this project; use `middleRemoval`. */,
  middleRemoval as MiddleRemovalStrategy,
  register,
} from './middle-removal.js';
