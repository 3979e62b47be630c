import { testSharing } from './sharing.js';
import { describeServers } from './state-servers.js';
import { closeAll } from './upstream.js';

afterEach(closeAll);

describeServers('%s', testSharing);
