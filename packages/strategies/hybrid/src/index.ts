export {
  type Characteristics,
  characteristicsOf,
  efficiency,
  type Recommendation,
  recommend,
  type Way,
} from './characteristics.js';
export {
  type HybridOptions,
  hybrid,
  /** @deprecated Its name in the documents behind this project; use `hybrid`. */
  hybrid as HybridStrategy,
  register,
} from './hybrid.js';
