export * from './terms/index.js';
