import { expectSummary } from './expect-summary.js';
import { closeAll } from './upstream.js';

afterEach(closeAll);

test('the thread that keeps the conversations asks for a summary, too', () => expectSummary(true));
