import type { Readable, Writable } from 'node:stream';
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { type RecallOptions, type RecallSource, recallTool } from './recall-tool.js';

interface ServeRecallOptions extends RecallOptions {
  /** Where requests come from. @default standard input */
  readonly input?: Readable | undefined;
  /** Where answers go. @default standard output */
  readonly output?: Writable | undefined;
}

/** A server that listens. */
export interface RecallServer {
  /** Resolves when the client has closed its end, or the server was closed. */
  readonly closed: Promise<void>;
  /** Stops listening. The streams stay open. */
  close(): Promise<void>;
}

/** Of the protocol, not of the package: clients show it. */
const serverVersion = '1';

/**
 * Serves the recall tool as an MCP server over standard input and output, or over two streams. What is no request is reported to `onError` and
 * otherwise ignored.
 * @throws ConfigError `config-invalid`
 */
export function serveRecall(source: RecallSource<undefined>, options: ServeRecallOptions = {}): RecallServer {
  const { input = process.stdin, output = process.stdout, ...rest } = options;
  const { name, description, parameters, run } = recallTool(source, rest);
  const transport = new StdioServerTransport(input, output);
  const tool = {
    name,
    description,
    inputSchema: parameters as object as { type: 'object' },
    annotations: { title: 'Recall', readOnlyHint: true, openWorldHint: false },
  };
  const factory = () => {
    const server = new Server(
      { name: 'ctx-recall', version: serverVersion },
      { capabilities: { tools: {} } },
    );
    server.setRequestHandler('tools/list', () => ({ tools: [tool] }));
    server.setRequestHandler('tools/call', async ({ params }) => {
      const isOurs = params.name === name;
      const text = isOurs
        ? await run(params.arguments)
        : `There is no tool ${JSON.stringify(params.name.slice(0, 60))}, only ${name}.`;
      return { content: [{ type: 'text', text }], ...(isOurs ? {} : { isError: true }) };
    });
    return server;
  };
  let ended: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    ended = resolve;
  });
  for (const event of ['end', 'close']) input.once(event, () => ended());
  const handle = serveStdio(factory, { transport, onerror: (error) => rest.onError?.(error) });
  return {
    closed,
    async close() {
      await handle.close();
      ended();
    },
  };
}
