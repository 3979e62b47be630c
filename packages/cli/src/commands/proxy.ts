import type { AddCommand } from './command.js';

/** `ctx proxy`. Its arguments are those of `@ctx/proxy`, which also writes its help. */
export const addProxy: AddCommand = (program, run) => {
  program
    .command('proxy')
    .description(
      'keep the conversations of agents that are not yours inside the window: a proxy before their provider',
    )
    .argument('[arguments...]', 'run -- agent, status, or options; see ctx proxy --help')
    .allowUnknownOption()
    .helpOption(false)
    .action(async () => {
      const { proxyCommand } = await import('@ctx/proxy');
      const { env, out, err, signal } = run.io;
      const ended = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      const args = run.args.slice(run.args.indexOf('proxy') + 1);
      run.exitCode = await proxyCommand(args, { environment: env, out, err, ended });
    });
};
