import { describeServers } from './servers.js';
import { testSharing } from './sharing.js';

describeServers('%s', testSharing);
