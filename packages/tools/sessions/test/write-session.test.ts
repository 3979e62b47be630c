import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isErrorResult, type Message, outputText, partsOf } from '@ctx/core';
import { readSession, readSessions, type Session, sessionFormats, writeSession } from '@ctx/sessions';
import { testWithFiles } from '@ctx/testing';

const folder = mkdtempSync(join(tmpdir(), 'ctx-write-'));

type WritableSession = Parameters<typeof writeSession>[0];

async function writtenAndRead(session: WritableSession): Promise<Session> {
  const { text, format } = writeSession(session);
  const file = join(folder, `${format}.txt`);
  writeFileSync(file, text);
  return readSession(file);
}

/** The APIs take arguments as an object: a text that is none, as a patch is, becomes one. */
const asObject = (input: unknown) => JSON.stringify(typeof input === 'string' ? { input } : input);

/**
 * What a format keeps of messages whatever its own form is: who said, called and answered what, in order. A failure is one only where the
 * format has a place for it.
 */
function saidIn(messages: readonly Message[], lost: Readonly<Record<string, number>> = {}): string[] {
  const said: string[] = [];
  // Results of parallel calls stand in the order of the calls in some formats, in that of their arrival in others.
  const results: string[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    if (message.role !== 'tool') said.push(...results.splice(0).sort());
    const text = partsOf(message).flatMap((part) => (part.type === 'text' ? [part.text] : []));
    if (text.length > 0) said.push(`${message.role}: ${text.join('\n')}`);
    for (const part of partsOf(message)) {
      if (part.type === 'tool-call')
        said.push(`calls ${part.toolCallId} ${part.toolName} ${asObject(part.input)}`);
      if (part.type === 'tool-result')
        results.push(
          `${isErrorResult(part) && !lost.isError ? 'error' : 'result'} ${part.toolCallId} ${part.toolName} ${outputText(part.output)}`,
        );
    }
  }
  return [...said, ...results.sort()];
}

const call = (toolCallId: string, input: unknown) =>
  ({ type: 'tool-call', toolCallId, toolName: 'bash', input }) as const;
const result = (toolCallId: string, output: string, isError = false) =>
  ({ type: 'tool-result', toolCallId, toolName: 'bash', output, ...(isError && { isError }) }) as const;

const session: Omit<WritableSession, 'format'> = {
  id: 'b5c488b1-321e-4a7e-acc8-a8f7024c723a',
  model: 'claude-sonnet-4-5',
  provider: 'anthropic',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'What is in src? ✓ "quoted"\nsecond line', createdAt: 1_760_000_000_000 },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Two places to look.' },
        { type: 'text', text: 'I look.' },
        call('a', { command: 'ls src', depth: [1, { deep: true }] }),
        call('b', { command: 'cat nothing' }),
      ],
      createdAt: 1_760_000_001_000,
    },
    { role: 'tool', content: [result('a', 'app.ts\nlimits.ts')] },
    { role: 'tool', content: [result('b', 'No such file', true)] },
    { role: 'assistant', content: 'Two files.' },
    { role: 'user', content: 'Thanks' },
    { role: 'assistant', content: [call('c', {})] },
    { role: 'tool', content: [result('c', '')] },
  ],
};

/** Formats that are written as they were read; all others become messages of the AI SDK. */
const ownForms: readonly string[] = ['claude-code', 'codex', 'openai'];

test.each(sessionFormats)(
  'a session of %s: what was said, called and answered is read again as it was',
  async (format) => {
    const own = { ...session, format };
    const before = structuredClone(own);
    const { losses, ...written } = writeSession(own);
    expect(written.format).toBe(ownForms.includes(format) ? format : 'ai-sdk');
    const read = await writtenAndRead(own);
    expect(read.format).toBe(written.format);
    if (written.format === 'ai-sdk') expect(read).toMatchObject({ id: session.id, model: session.model });
    expect(saidIn(read.messages)).toEqual(saidIn(session.messages, losses));
    expect(read.messages.some(({ role }) => role === 'system')).toBe(losses.system === undefined);
    expect(JSON.stringify(read.messages).includes('Two places to look.')).toBe(
      losses.reasoning === undefined,
    );
    expect(read.skipped).toEqual([]);
    expect(own).toEqual(before);
    expect(writeSession(own).text).toBe(written.text);
  },
);

test.each(sessionFormats)('a session of %s with a time that no calendar has is written', async (format) => {
  const messages = [{ role: 'user' as const, content: 'hi', createdAt: 1e20 }];
  const { messages: read } = await writtenAndRead({ ...session, format, messages });
  expect(read).toMatchObject([{ role: 'user', content: 'hi' }]);
});

const agents = {
  'claude-code': 'claude-code/agent-a7be2f0.jsonl',
  codex: 'codex/agentv-019ed836.jsonl',
  pi: 'made/pi-0.87.jsonl',
  gemini: 'gemini/session-bridge-d0ed8c54.json',
  opencode: 'opencode/gatomia-vscode-ses_20b57e9a4.json',
  copilot: 'copilot/gatomia-vscode-378ab881.jsonl',
};

for (const [format, name] of Object.entries(agents)) {
  const file = join(__dirname, '../../../../../shared/data', name);
  testWithFiles(`a recorded session of ${format}, written, says the same`, [file], async () => {
    for await (const own of readSessions(file, { lenient: true })) {
      const { messages } = await writtenAndRead(own);
      expect(saidIn(messages)).toEqual(saidIn(own.messages, writeSession(own).losses));
    }
  });
}
