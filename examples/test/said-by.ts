import { type Io, processIo } from '@ctx/cli';

/** What a command prints and returns, without the start of a process. */
export async function saidBy(
  main: (args: readonly string[], io: Io) => Promise<number>,
  args: readonly string[],
  own: Partial<Io> = {},
) {
  let [stdout, stderr] = ['', ''];
  const io: Io = {
    ...processIo(new AbortController().signal),
    out: (text) => {
      stdout += text;
    },
    err: (text) => {
      stderr += text;
    },
    screen: undefined,
    ...own,
  };
  return { status: await main(args, io), stdout, stderr };
}
