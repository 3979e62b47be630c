import { keepInThread } from '../upstream.js';

// What the proxy does is the same wherever its conversations are kept.
describe('with conversations in a thread of their own', () => {
  keepInThread();
  for (const name of ['states/states', 'archive', 'states/states.slow', 'archive.slow'])
    require(`../${name}.test`);
});
