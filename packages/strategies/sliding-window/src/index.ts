export { register, slidingWindow } from './sliding-window.js';
