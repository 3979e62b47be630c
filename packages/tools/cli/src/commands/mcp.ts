import { shownLine } from '../terminal/shown.js';
import { tokensFrom } from '../values.js';
import { type AddCommand, withExamples } from './command.js';

/** `ctx mcp` */
export const addMcp: AddCommand = (program, run) => {
  const command = program
    .command('mcp')
    .description('serve what an agent said and read over MCP, on standard input and output: one tool, recall')
    .argument(
      '[source]',
      'a session file of an agent, which may grow, or sqlite:FILE of an archive (default: the session that is the newest when a question comes, best of an agent in this folder)',
    )
    .option('--conversation <id>', 'which conversation of an archive', 'conversation')
    .option('--max-tokens <tokens>', 'what an answer may have', tokensFrom, 2_000)
    .action(async (from: string | undefined, { conversation, maxTokens }) => {
      const { serveRecall } = await import('@ctx/recall/mcp');
      const { openRecallSource } = await import('../mcp/recall-source.js');
      const { source, close } = await openRecallSource(from, conversation, {
        folder: run.io.cwd,
        home: run.io.home,
        env: run.io.env,
      });
      const server = serveRecall(source, {
        maxTokens,
        onError: (error) =>
          run.io.err(`ctx mcp: ${shownLine(error instanceof Error ? error.message : String(error))}\n`),
      });
      run.io.signal.addEventListener('abort', () => void server.close(), { once: true });
      await server.closed;
      await close();
    });
  withExamples(command, [
    ['claude mcp add ctx -- ctx mcp', 'register it once, for all sessions'],
    ['ctx mcp session.jsonl', 'the session of an agent, while it works'],
    ['ctx mcp sqlite:history.db --conversation 7', 'a conversation that a manager archived'],
  ]);
};
