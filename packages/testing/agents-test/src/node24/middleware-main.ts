import type { ModelServerOptions } from '@ctx/testing';
import { runManaged } from './middleware.js';

/** Usage: node middleware-main.js [options of the server as JSON]; prints what each agent did as JSON. */
const options = JSON.parse(process.argv[2] ?? '{}') as ModelServerOptions;
process.stdout.write(JSON.stringify(await runManaged(options)));
