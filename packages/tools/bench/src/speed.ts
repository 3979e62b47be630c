export type { Figure } from './speed/figures.js';
export { measureSpeed, type Speed, type SpeedOptions } from './speed/measure-speed.js';
