import type { ToolCallPart } from '../transcript/message.js';

/** Tools whose calls name files. */
export interface FileTool {
  /** The exact names of the tools. */
  readonly names: readonly string[];
  /** Arguments that may hold the path or paths. The first that is present counts. A dot leads into an object. */
  readonly paths?: readonly string[] | undefined;
  /** Counts only calls in which each of these arguments has one of the values, for tools that do several things. */
  readonly when?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** Names that common agents' tools use for arguments with paths. */
export const pathArguments: readonly string[] = [
  ...'filePath file_path filepath path paths files file filename target_file'.split(' '),
  ...'absolute_path AbsolutePath notebook_path args.file'.split(' '),
];

const editors = ['str_replace_editor', 'str_replace_based_edit_tool'];

/** The tools that common agents use to read files. */
export const fileReadTools: readonly FileTool[] = [
  {
    names: [
      ...'filesystem-read Read NotebookRead read read_file readFile read_text_file'.split(' '),
      ...'read_multiple_files read_many_files view_file open_file'.split(' '),
    ],
  },
  { names: editors, when: { command: ['view'] } },
];

/** The tools that common agents use to change files. */
export const fileWriteTools: readonly FileTool[] = [
  {
    names: [
      ...'filesystem-create filesystem-write filesystem-edit filesystem-edit_search Write'.split(' '),
      ...'Edit MultiEdit NotebookEdit write edit write_file writeFile write_to_file'.split(' '),
      ...'edit_file create_file apply_diff replace_in_file insert_content'.split(' '),
      ...'search_and_replace search_replace replace'.split(' '),
    ],
  },
  { names: editors, when: { command: ['create', 'str_replace', 'insert', 'undo_edit'] } },
];

/** The tools that common agents use to run commands. */
export const terminalTools: readonly string[] = [
  ...'terminal-execute Bash bash shell exec local_shell run_command execute_command'.split(' '),
  ...'run_terminal_cmd run_shell_command run_in_terminal'.split(' '),
];

/** The tool in the list that a call uses; undefined if none. */
export function fileToolOf<Tool extends FileTool>(
  call: ToolCallPart | undefined,
  tools: readonly Tool[],
): Tool | undefined {
  const applies = ({ when = {} }: FileTool) =>
    Object.entries(when).every(([name, values]) => values.includes(argument(call?.input, name) as string));
  return call && tools.find((tool) => tool.names.includes(call.toolName) && applies(tool));
}

/**
 * The paths that a call names, each once and unchanged; empty if it uses none of the tools. A path argument is a
 * string, a list of strings, a list of objects with a `path`, or a mixture.
 */
export function filesOf(call: ToolCallPart | undefined, tools: readonly FileTool[]): readonly string[] {
  const tool = fileToolOf(call, tools);
  return tool === undefined ? [] : pathsOf(call?.input, tool);
}

/** The paths in the input of a call to this tool, each once. */
export function pathsOf(input: unknown, { paths: names = pathArguments }: FileTool): readonly string[] {
  for (const name of names) {
    const paths = pathsIn(argument(input, name));
    if (paths.length > 0) return paths.length === 1 ? paths : [...new Set(paths)];
  }
  return [];
}

function argument(input: unknown, name: string): unknown {
  if (!name.includes('.')) return own(input, name);
  return name.split('.').reduce(own, input);
}

function own(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

function pathsIn(value: unknown): string[] {
  if (value === undefined) return [];
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  const paths = (Array.isArray(value) ? value : [value]).map((one: unknown) =>
    typeof one === 'string' ? one : own(one, 'path'),
  );
  return paths.filter((path) => typeof path === 'string' && path.trim() !== '') as string[];
}
