export type { ApiName } from './api-of.js';
export { type CommandHost, proxyCommand } from './command.js';
export type { ConversationStatus, ProxyStatus } from './ledger.js';
export type { ProxyOptions } from './proxy-options.js';
export { type RunningProxy, startProxy } from './server.js';
export type { Upstream } from './upstreams.js';
