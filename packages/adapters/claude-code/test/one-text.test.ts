import { compact } from '@ctx/claude-code';
import { compactToText } from '../agents/one-text.js';
import { answers, calls, says, user } from './rows.js';

const compacting = jest.fn(compact);
jest.mock('../plugin/hooks/ctx.js', () => ({
  compact: (...all: Parameters<typeof compact>) => compacting(...all),
}));

const log = Array.from({ length: 900 }, (_, line) => `line ${line}: shard ${line * 31} is done`).join('\n');
const rows = [user('Run it.'), calls('a', 'Bash', { command: './job' }), answers('a', log), says('Done.')];
const options = { targetTokens: 2_000, handles: false };

test('of what leaves, a text has the calls and results that stay', async () => {
  expect(await compactToText(rows, options)).toContain('./job');
});

test('what a failed part of ctx would have chosen is not thrown away: the host compacts', async () => {
  compacting.mockImplementationOnce(async (...given) => {
    const made = await compact(...given);
    return { ...made, report: { ...made.report, failed: 'relevance took longer than 8.0 s' } };
  });
  await expect(compactToText(rows, options)).rejects.toThrow('relevance took longer');
});
