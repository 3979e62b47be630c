export { proxyCommand } from './command.js';
export type { ProxyOptions } from './proxy-options.js';
export { type RunningProxy, startProxy } from './server.js';
