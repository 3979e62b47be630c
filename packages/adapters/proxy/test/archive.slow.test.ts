import { testArchive } from './recalled-archive.js';
import { describeServers } from './states/servers.js';

describeServers('an archive in %s', testArchive);
