export { efficiency } from './characteristics.js';
export {
  hybrid /** @deprecated Its name in the documents behind this project; use `hybrid`. */,
  hybrid as HybridStrategy,
  register,
} from './hybrid.js';
