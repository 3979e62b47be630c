export { contextInputFilter } from './context-input-filter.js';
export { contextModel, contextProvider } from './context-model.js';
