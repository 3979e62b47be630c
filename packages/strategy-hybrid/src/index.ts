export {
  type Characteristics,
  characteristicsOf,
  efficiency,
  type Recommendation,
  recommend,
  type Way,
} from './characteristics.js';
export { type HybridOptions, HybridStrategy, hybrid, register } from './hybrid.js';
