/** @deprecated The name of a class before strategies were declared once; use `slidingWindow`. */
export { register, slidingWindow } from './sliding-window.js';
