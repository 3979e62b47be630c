import { closeAll } from '../upstream.js';
import { describeServers } from './servers.js';
import { testSharing } from './sharing.js';

afterEach(closeAll);

describeServers('%s', testSharing);
