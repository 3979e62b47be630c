import type { AddCommand } from './command.js';

/** `ctx proxy`. `@ctx/proxy` reads the arguments itself, and has a help of its own. */
export const addProxy: AddCommand = (program, run) => {
  program
    .command('proxy')
    .description('keep the conversations of any agent inside the window: a proxy before its provider')
    .usage('[run | status] [options] [-- agent]')
    .argument('[arguments...]')
    .helpOption(false)
    .allowUnknownOption()
    .action(async () => {
      const { proxyCommand } = await import('@ctx/proxy');
      const { env, out, err, signal } = run.io;
      const ended = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      const args = run.args.slice(run.args.indexOf('proxy') + 1);
      run.exitCode = await proxyCommand(args, { environment: env, out, err, ended });
    });
};
