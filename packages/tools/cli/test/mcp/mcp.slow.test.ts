import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entriesOf } from '@ctx/archive';
import { sqliteArchive } from '@ctx/archive/sqlite';
import type { Message } from '@ctx/core';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

/** The program as it is built: a process of its own loads no sources. */
const program = join(__dirname, '../../dist/bin.js');
const said = (content: string): Message => ({ role: 'user', content });
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-mcp-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const line = (role: 'user' | 'assistant', text: string, uuid: string) =>
  `${JSON.stringify({
    type: role,
    sessionId: 's1',
    uuid,
    timestamp: '2026-01-01T00:00:00Z',
    message:
      role === 'user'
        ? { role, content: text }
        : { id: uuid, role, model: 'm', content: [{ type: 'text', text }] },
  })}\n`;

function sessionFile(): string {
  const file = join(folder, 'session.jsonl');
  writeFileSync(file, line('user', 'The port is 4711.', '1') + line('assistant', 'Noted: port 4711.', '2'));
  return file;
}

interface AnyClient {
  connect(transport: never): Promise<void>;
  close(): Promise<void>;
  listTools(): Promise<{ tools: readonly { name: string; description?: string; inputSchema: object }[] }>;
  callTool(call: { name: string; arguments?: Record<string, unknown> }): Promise<object>;
}

const clients = [
  ['version 2', () => new Client({ name: 'test', version: '1' }), StdioClientTransport],
  ['version 1', () => new OlderClient({ name: 'test', version: '1' }), OlderTransport],
] as const;

describe.each(clients)('the client of the SDK, %s', (_, clientOf, Transport) => {
  async function connected(args: readonly string[]) {
    const client = clientOf() as unknown as AnyClient;
    const command = { command: process.execPath, args: [program, 'mcp', ...args] };
    const transport = new Transport({ ...command, stderr: 'pipe' });
    await client.connect(transport as never);
    const recall = async (given: Record<string, unknown>) => {
      const { content, isError } = (await client.callTool({ name: 'recall', arguments: given })) as {
        content: readonly { type: string; text: string }[];
        isError?: boolean;
      };
      return { text: content.map(({ text }) => text).join(''), isError };
    };
    return { client, recall };
  }

  test('lists the tool, and reads a session file by words and by handle', async () => {
    const { client, recall } = await connected([sessionFile()]);
    const { tools } = await client.listTools();
    expect(tools).toMatchObject([
      { name: 'recall', description: expect.stringContaining('#m41'), inputSchema: { type: 'object' } },
    ]);
    expect((await recall({ query: 'port' })).text).toContain('The port is 4711.');
    expect((await recall({ ref: '#m2' })).text).toContain(
      '```#m2:1 assistant (2026-01-01T00:00Z)\nNoted: port 4711.\n```',
    );
    await client.close();
  });

  test('gets an answer to arguments that are wrong, and an error for a tool that does not exist', async () => {
    const { client, recall } = await connected([sessionFile()]);
    expect(await recall({})).toEqual({ text: expect.stringMatching(/^recall needs query/) });
    expect((await recall({ ref: 2, maxTokens: '300', query: null })).text).toContain('Noted');
    expect((await recall({ ref: '#m9' })).text).toContain('Nothing is kept under #m9');
    expect(await client.callTool({ name: 'forget' })).toMatchObject({ isError: true });
    await client.close();
  });

  test('sees what a session says from then on, also if its file is replaced', async () => {
    const file = sessionFile();
    const { client, recall } = await connected([file]);
    expect((await recall({ query: 'host' })).text).toMatch(/^Nothing was found/);
    appendFileSync(file, line('user', 'The host is example.test.', '3'));
    expect((await recall({ query: 'host' })).text).toContain('```#m3:1 user');
    writeFileSync(file, line('user', 'Another session about cats.', '9'));
    expect((await recall({ query: 'port host' })).text).toMatch(/^Nothing was found/);
    expect((await recall({ ref: '#m1' })).text).toContain('cats');
    rmSync(file);
    expect((await recall({ query: 'cats' })).text).toMatch(/cannot be read at the moment/);
    writeFileSync(file, line('user', 'Dogs now.', '10'));
    expect((await recall({ query: 'dogs' })).text).toContain('Dogs now.');
    await client.close();
  });

  test('reads one conversation of a store, and no other', async () => {
    const file = join(folder, 'archive.db');
    const archive = await sqliteArchive(file);
    for (const conversation of ['conversation', 'other'])
      await archive.put(entriesOf({ conversation, number: 1, message: said(`word of ${conversation}`) }));
    const usual = await connected([`sqlite:${file}`]);
    expect((await usual.recall({ query: 'word' })).text).toContain('word of conversation');
    expect((await usual.recall({ query: 'other' })).text).toMatch(/^Nothing was found/);
    const other = await connected([`sqlite:${file}`, '--conversation', 'other']);
    // What another process adds is seen.
    await archive.put(entriesOf({ conversation: 'other', number: 2, message: said('later word') }));
    expect((await other.recall({ query: 'later' })).text).toContain('#m2:1 user');
    await Promise.all([usual.client.close(), other.client.close(), archive.close()]);
  });
});

describe('the program', () => {
  function started(args: readonly string[]) {
    const child: ChildProcess = spawn(process.execPath, [program, 'mcp', ...args], { stdio: 'pipe' });
    const said = { out: '', err: '' };
    child.stdout?.on('data', (data) => {
      said.out += data;
    });
    child.stderr?.on('data', (data) => {
      said.err += data;
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    return { child, said, ended };
  }
  const request = (id: number, method: string, params: object = {}) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const clientInfo = { name: 'test', version: '1' };
  const hello = request(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  async function until(said: { readonly out: string }, text: string) {
    while (!said.out.includes(text)) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  test('goes on after garbage, and writes nothing but answers to standard output', async () => {
    const { child, said, ended } = started([sessionFile()]);
    child.stdin?.write('not json\n{"jsonrpc":"1.0"}\n[]\n{}\n\u0000\n"text"\n');
    child.stdin?.write(hello);
    await until(said, '"id":1');
    child.stdin?.write(`${'x'.repeat(100_000)}\n{"half": \n`);
    const params = { name: 'recall', arguments: { query: 'port' } };
    child.stdin?.write(
      request(2, 'tools/call', params) + request(3, 'no/such') + request(4, 'tools/call', { name: 5 }),
    );
    for (const id of [2, 3, 4]) await until(said, `"id":${id}`);
    child.stdin?.end();
    expect(await ended).toBe(0);
    const answers = said.out
      .split('\n')
      .filter(Boolean)
      .map((one) => JSON.parse(one) as { id: number });
    expect(answers.find(({ id }) => id === 2)).toMatchObject({ result: { content: [{ type: 'text' }] } });
    expect(answers.find(({ id }) => id === 3)).toMatchObject({ error: { code: -32601 } });
    expect(answers.find(({ id }) => id === 4)).toHaveProperty('error');
    // What was said in the session is in no report of an error.
    expect(said.err).not.toContain('4711');
  });

  test('ends when its input does, before and after a request', async () => {
    const early = started([sessionFile()]);
    early.child.stdin?.end();
    expect(await early.ended).toBe(0);
    const late = started([sessionFile()]);
    late.child.stdin?.write(hello);
    await until(late.said, '"id":1');
    late.child.stdin?.end();
    expect(await late.ended).toBe(0);
  });

  test.each([
    ['a file that does not exist', ['none.jsonl'], 3, /none\.jsonl/],
    ['a store that does not exist', ['sqlite:none.db'], 3, /There is no such file/],
    ['a number that cannot be', ['a', '--max-tokens', 'many'], 2, /max-tokens/],
    ['a file that is no session', [program], 3, /bin\.js/],
  ])('says what is wrong with %s, and ends', async (_, args, code, problem) => {
    const { child, said, ended } = started(args);
    child.stdin?.end();
    expect(await ended).toBe(code);
    expect(said.err).toMatch(problem);
    expect([said.out, said.err.includes('    at ')]).toEqual(['', false]);
  });
});
