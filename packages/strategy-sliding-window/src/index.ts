export { register, type SlidingWindowOptions, slidingWindow } from './sliding-window.js';
