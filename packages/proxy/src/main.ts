#!/usr/bin/env node
import { startProxy } from './index.js';

const proxy = await startProxy({
  upstream: process.env.UPSTREAM!,
  port: Number(process.env.PROXY_PORT),
  config: process.env.CTX_WINDOW ? { contextWindow: Number(process.env.CTX_WINDOW) } : {},
});
console.log(proxy.url);
setInterval(() => {}, 1e6);
