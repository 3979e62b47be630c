import type { ModelServerOptions } from '@ctx/testing';
import { runAgents } from './run-agents.js';

/** Usage: node main.js [options of the server as JSON]; prints what each agent did as JSON. */
const options = JSON.parse(process.argv[2] ?? '{}') as ModelServerOptions;
process.stdout.write(JSON.stringify(await runAgents(options)));
