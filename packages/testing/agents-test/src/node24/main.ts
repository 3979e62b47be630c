import type { ContextFetchOptions } from '@ctx/fetch';
import type { ModelServerOptions } from '@ctx/testing';
import { measuredRuns } from './measured-runs.js';

/** Usage: node main.js [options of the server as JSON] [options of contextFetch as JSON]; prints what each agent did as JSON. */
const [server = '{}', managed] = process.argv.slice(2);
const runs = await measuredRuns(
  JSON.parse(server) as ModelServerOptions,
  managed === undefined ? undefined : (JSON.parse(managed) as ContextFetchOptions),
);
process.stdout.write(JSON.stringify(runs));
