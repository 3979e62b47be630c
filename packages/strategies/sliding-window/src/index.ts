/** @deprecated The name of a class before strategies were declared once; use `slidingWindow`. */
export {
  register,
  type SlidingWindowOptions,
  slidingWindow,
  slidingWindow as SlidingWindowStrategy,
} from './sliding-window.js';
