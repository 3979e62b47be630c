import { type AddCommand, withExamples } from './command.js';

/** `ctx proxy`. `@ctx/proxy` reads the arguments itself; here they are declared for help, suggestions and completion. */
export const addProxy: AddCommand = (program, run) => {
  const command = program
    .command('proxy')
    .description('keep the conversations of any agent inside the window: a proxy before its provider')
    .argument('[task]', 'run, to start an agent that uses it; status; without it, ctx proxy listens')
    .argument('[agent...]', 'after two dashes: the agent to run, with its arguments')
    .option('--port <number>', 'default 8787; 0 for any that is free')
    .option('--host <name>', 'default 127.0.0.1; elsewhere a token is needed')
    .option('--token <token>', 'what clients have to give; or CTX_PROXY_TOKEN in the environment')
    .option(
      '--upstream <url>',
      'where requests go; or API=URL, each once: anthropic, openai, google, ollama, openrouter, groq and others',
    )
    .option('--window <tokens>', 'the window, instead of that of the model')
    .option('--config <file>', 'more options, as JSON or as a module')
    .option('--store <address>', 'sqlite:FILE, postgres://… or memory; default a file of SQLite')
    .option('--summarize <model>', 'the model that sums up what is compressed; true: that of the request')
    .option('--recall', 'offer the model a tool that reads removed messages; the agent does not see it')
    .option('--archive <address>', 'where --recall keeps texts: sqlite:FILE or postgres://…; default memory')
    .option('--dry-run', 'change nothing, and say what would have been saved')
    .action(async () => {
      const { proxyCommand } = await import('@ctx/proxy');
      const { env, out, err, signal } = run.io;
      const ended = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      const args = run.args.slice(run.args.indexOf('proxy') + 1);
      run.exitCode = await proxyCommand(args, { environment: env, out, err, ended });
    });
  withExamples(command, [
    ['ctx proxy', 'listens; give your agent its address as base URL'],
    ['ctx proxy run -- claude', 'starts Claude Code through it'],
    ['ctx proxy status', 'what passed and what was saved'],
  ]);
};
