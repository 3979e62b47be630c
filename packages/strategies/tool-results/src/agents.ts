import { type FileTool, fileReadTools, fileWriteTools, terminalTools } from '@ctx/core/kit';
import { placeholders, snowPlaceholders } from './placeholders.js';

/** The names of an agent's tools. */
interface Agent {
  readonly reads: readonly FileTool[];
  readonly writes: readonly FileTool[];
  readonly terminal: readonly string[];
  readonly placeholders: Record<keyof typeof placeholders, string>;
}

const editors = ['str_replace_editor', 'str_replace_based_edit_tool'];

const agents = {
  snow: {
    reads: [{ names: ['filesystem-read'], paths: ['filePath'] }],
    writes: [
      {
        names: ['filesystem-create', 'filesystem-edit', 'filesystem-edit_search'],
        paths: ['filePath'],
      },
    ],
    terminal: ['terminal-execute'],
    placeholders: snowPlaceholders,
  },
  'claude-code': {
    reads: [{ names: ['Read', 'NotebookRead'], paths: ['file_path', 'notebook_path'] }],
    writes: [
      { names: ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'], paths: ['file_path', 'notebook_path'] },
    ],
    terminal: ['Bash'],
    placeholders,
  },
  pi: {
    reads: [{ names: ['read'], paths: ['path'] }],
    writes: [{ names: ['write', 'edit'], paths: ['path'] }],
    terminal: ['bash'],
    placeholders,
  },
  'roo-code': {
    reads: [{ names: ['read_file'], paths: ['path', 'files', 'args.file'] }],
    writes: [
      {
        names: ['write_to_file', 'apply_diff', 'insert_content', 'search_and_replace', 'replace_in_file'],
        paths: ['path'],
      },
    ],
    terminal: ['execute_command'],
    placeholders,
  },
  opencode: {
    reads: [{ names: ['read'], paths: ['filePath'] }],
    writes: [{ names: ['write', 'edit'], paths: ['filePath'] }],
    terminal: ['bash'],
    placeholders,
  },
  'gemini-cli': {
    reads: [{ names: ['read_file', 'read_many_files'], paths: ['file_path', 'absolute_path', 'paths'] }],
    writes: [{ names: ['write_file', 'replace'], paths: ['file_path'] }],
    terminal: ['run_shell_command'],
    placeholders,
  },
  'text-editor': {
    reads: [{ names: editors, paths: ['path'], when: { command: ['view'] } }],
    writes: [
      {
        names: editors,
        paths: ['path'],
        when: { command: ['create', 'str_replace', 'insert', 'undo_edit'] },
      },
    ],
    terminal: ['bash'],
    placeholders,
  },
} satisfies Record<string, Agent>;

export type AgentName = keyof typeof agents;
export const agentNames = Object.keys(agents) as [AgentName, ...AgentName[]];

/** The tools of one agent, or of all known agents if no name is given. */
export function agentOf(name: AgentName | undefined): Agent {
  if (name !== undefined) return agents[name];
  return { reads: fileReadTools, writes: fileWriteTools, terminal: terminalTools, placeholders };
}
