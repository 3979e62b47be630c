import type { ItemStatus } from './items.js';

/** A tool that an item brings. Tools of other types are carried through too. */
interface BroughtTool {
  type: 'function';
  name: string;
  parameters: Record<string, unknown> | null;
  strict: boolean | null;
  description?: string | null;
}

/** The tools of the conversation, as its first item. */
export interface AdditionalTools {
  type: 'additional_tools';
  role: 'developer';
  tools: BroughtTool[];
  id?: string | null;
}

export interface ToolSearchCall {
  type: 'tool_search_call';
  arguments: unknown;
  call_id?: string | null;
  id?: string | null;
  execution?: 'server' | 'client';
  status?: ItemStatus | null;
}

export interface ToolSearchOutput {
  type: 'tool_search_output';
  tools: BroughtTool[];
  call_id?: string | null;
  id?: string | null;
  execution?: 'server' | 'client';
  status?: ItemStatus | null;
}

export interface ProgramItem {
  type: 'program';
  id: string;
  call_id: string;
  code: string;
  fingerprint: string;
}

export interface ProgramOutput {
  type: 'program_output';
  id: string;
  call_id: string;
  result: string;
  status: 'completed' | 'incomplete';
}
