export {
  register,
  type SlidingWindowOptions,
  SlidingWindowStrategy,
  slidingWindow,
} from './sliding-window.js';
