export type { ConversationStatus, ProxyStatus } from './ledger.js';
export type { ProxyOptions } from './proxy-options.js';
export { type Proxy, startProxy } from './server.js';
export type { ApiName, Upstream } from './upstreams.js';
