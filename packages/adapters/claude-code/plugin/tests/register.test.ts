import { describe, expect, mock, test, tier } from 'claude-code/testing';

tier('user');
describe('register', () => {
  test('a compaction that meets errors of the host asks Claude Code, and says so', async ($, on) => {
    const said: string[] = [];
    mock.env(on, {});
    mock.clock(on);
    on('ui.log', (_, e) => {
      said.push(JSON.stringify(e));
      return { value: undefined };
    });
    on('session.version', () => {
      throw new Error('planted');
    });
    on('session.compact', () => ({ messages: [{ role: 'user', text: 'by Claude Code', toolUses: [] }] }));
    const messages = [{ role: 'user', text: 'Hello.', toolUses: [], handle: 'h1' }];
    const answer = await $.session.compact({ trigger: 'manual', messages } as never);
    expect(JSON.stringify(answer)).toContain('by Claude Code');
    expect(said.join()).toContain('ctx failed');
  });
});
