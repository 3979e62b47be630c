export { type ContextInputFilterOptions, contextInputFilter } from './context-input-filter.js';
export { type ContextModelOptions, contextModel, contextProvider } from './context-model.js';
