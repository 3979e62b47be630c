/** A tool as the SDKs want it described. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly schema: {
    readonly type: 'object';
    readonly properties: { readonly path: { readonly type: 'string'; readonly description: string } };
    readonly required: string[];
    readonly additionalProperties: false;
  };
  run(input: { readonly path: string }): string;
}

const schema: Tool['schema'] = {
  type: 'object',
  properties: { path: { type: 'string', description: 'A path in the repository.' } },
  required: ['path'],
  additionalProperties: false,
};

/** The tools of every agent. Each makes up its result from the path, so that a run can be repeated. */
export const tools: readonly Tool[] = [
  {
    name: 'read_file',
    description: 'Reads a file.',
    schema,
    run: ({ path }) => lines(60, (line) => `export const value${line} = load('${path}', ${line});`),
  },
  {
    name: 'search_code',
    description: 'Finds the lines that use a file.',
    schema,
    run: ({ path }) => lines(25, (line) => `src/caller-${line}.ts:${line}: import '${path}';`),
  },
];

/** Runs a tool by its name. */
export function runTool(name: string, input: unknown): string {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool "${name}".`);
  return tool.run(input as { path: string });
}

/** What a tool returns for a call; undefined if it is none of these. */
export function resultOf(name: string, input: unknown): string | undefined {
  return tools.find((one) => one.name === name)?.run(input as { path: string });
}

const lines = (howMany: number, line: (number: number) => string) =>
  Array.from({ length: howMany }, (_, at) => line(at + 1)).join('\n');
