/** The surroundings of a command that notes what it writes, and whose states stand in a folder. */
export function hostIn(folder: string, environment: Record<string, string> = {}) {
  const written = { out: '', err: '' };
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const all = { PATH: process.env.PATH ?? '', XDG_STATE_HOME: folder, ...environment };
  return {
    written,
    end: () => end(),
    environment: all,
    ended,
    out: (text: string) => {
      written.out += text;
    },
    err: (text: string) => {
      written.err += text;
    },
  };
}
