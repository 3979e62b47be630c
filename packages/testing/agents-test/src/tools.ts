const schema = {
  type: 'object' as const,
  properties: { path: { type: 'string' as const, description: 'A path in the repository.' } },
  required: ['path'],
  additionalProperties: false as const,
};
type Input = { readonly path: string };

/** The tools of every agent. Each makes up its result from the path, so that a run can be repeated. */
export const tools = [
  {
    name: 'read_file',
    description: 'Reads a file.',
    schema,
    run: ({ path }: Input) => lines(60, (line) => `export const value${line} = load('${path}', ${line});`),
  },
  {
    name: 'search_code',
    description: 'Finds the lines that use a file.',
    schema,
    run: ({ path }: Input) => lines(25, (line) => `src/caller-${line}.ts:${line}: import '${path}';`),
  },
];

/** What a tool returns for a call; undefined if it is none of these. */
export function resultOf(name: string, input: unknown): string | undefined {
  return tools.find((one) => one.name === name)?.run(input as Input);
}

/** Runs a tool by its name. */
export function runTool(name: string, input: unknown): string {
  const result = resultOf(name, input);
  if (result === undefined) throw new Error(`There is no tool "${name}".`);
  return result;
}

function lines(howMany: number, line: (number: number) => string): string {
  return Array.from({ length: howMany }, (_, at) => line(at + 1)).join('\n');
}
