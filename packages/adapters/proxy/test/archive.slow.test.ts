import { testArchive } from './recalled-archive.js';
import { describeServers } from './states/servers.js';
import { closeAll } from './upstream.js';

afterEach(closeAll);

describeServers('an archive in %s', testArchive);
