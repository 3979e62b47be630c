import './polyfill.js';

export {
  container as rootContainer,
  type DependencyContainer,
  type InjectionToken,
  inject,
  injectable,
} from 'tsyringe';
