import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../snippets/snippets.js';

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
}

/** TypeScript as an editor asks it, about one file. `|` in the text marks where the cursor is. */
export class LanguageServer {
  readonly #server: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #received = Buffer.alloc(0);
  #files = 0;
  #asked = 0;

  constructor() {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    this.#server = spawn(process.execPath, [tsc, '--lsp', '--stdio'], { cwd: root });
    this.#server.stdout?.on('data', (bytes: Buffer) => this.#receive(bytes));
  }

  async start(): Promise<void> {
    const textDocument = { completion: { completionItem: {} }, hover: { contentFormat: ['markdown'] } };
    const rootUri = pathToFileURL(root).href;
    await this.#ask('initialize', { processId: process.pid, rootUri, capabilities: { textDocument } });
    this.#write({ method: 'initialized', params: {} });
  }

  /** The names that an editor offers at the cursor. */
  async completions(marked: string): Promise<string[]> {
    const result = await this.#ask('textDocument/completion', this.#open(marked));
    const { items = [] } = result as { items?: { label: string }[] };
    return items.map(({ label }) => label.replace(/["?]/g, '')).sort();
  }

  /** What an editor shows when one points at the word at the cursor. */
  async hover(marked: string): Promise<string> {
    return JSON.stringify(await this.#ask('textDocument/hover', this.#open(marked)));
  }

  stop(): void {
    this.#server.kill();
  }

  #open(marked: string) {
    const folder = join(root, 'examples/.ctx/editor');
    mkdirSync(folder, { recursive: true });
    this.#files += 1;
    const file = join(folder, `file-${this.#files}.ts`);
    const text = marked.replace('|', '');
    writeFileSync(file, text);
    const uri = pathToFileURL(file).href;
    this.#write({
      method: 'textDocument/didOpen',
      params: { textDocument: { uri, languageId: 'typescript', version: 1, text } },
    });
    const before = marked.slice(0, marked.indexOf('|')).split('\n');
    const [line, character] = [before.length - 1, before.at(-1)?.length ?? 0];
    return { textDocument: { uri }, position: { line, character } };
  }

  #ask(method: string, params: object): Promise<unknown> {
    this.#asked += 1;
    const id = this.#asked;
    this.#write({ id, method, params });
    return new Promise((resolve) => {
      this.#waiting.set(id, ({ result }) => resolve(result));
    });
  }

  #write(message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#server.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  #receive(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    for (;;) {
      const end = this.#received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.#received.subarray(0, end).toString())?.[1]);
      const from = end + 4;
      if (this.#received.length < from + length) return;
      const answer = JSON.parse(this.#received.subarray(from, from + length).toString()) as Answer;
      this.#received = this.#received.subarray(from + length);
      if (answer.id === undefined) continue;
      if (answer.method === undefined) this.#waiting.get(answer.id)?.(answer);
      else this.#write({ id: answer.id, result: null });
    }
  }
}
