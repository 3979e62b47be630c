export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** The program that made a call; absent where the model made it. */
export type Caller = { type: 'direct' } | { type: 'program'; caller_id: string };

/** An item of a tool that the API knows by itself. Fields whose types differ between versions of the SDK are not listed. */
export type HostedItem =
  | WebSearchCall
  | FileSearchCall
  | CodeInterpreterCall
  | ImageGenerationCall
  | ComputerCall
  | ComputerCallOutput
  | LocalShellCall
  | LocalShellCallOutput
  | ShellCall
  | ShellCallOutput
  | ApplyPatchCall
  | ApplyPatchCallOutput
  | McpListTools
  | McpCall
  | McpApprovalRequest
  | McpApprovalResponse
  | AdditionalTools
  | ToolSearchCall
  | ToolSearchOutput
  | ProgramItem
  | ProgramOutput;

interface WebSearchCall {
  type: 'web_search_call';
  id: string;
  status: 'in_progress' | 'searching' | 'completed' | 'failed';
  action:
    | { type: 'search'; query?: string; queries?: string[]; sources?: { type: 'url'; url: string }[] }
    | { type: 'open_page'; url?: string | null }
    | { type: 'find_in_page'; pattern: string; url: string };
}

interface FileSearchCall {
  type: 'file_search_call';
  id: string;
  status: ItemStatus | 'searching' | 'failed';
  queries: string[];
  results?: { file_id?: string; filename?: string; score?: number; text?: string }[] | null;
}

interface CodeInterpreterCall {
  type: 'code_interpreter_call';
  id: string;
  status: ItemStatus | 'interpreting' | 'failed';
  container_id: string;
  code: string | null;
  outputs: ({ type: 'logs'; logs: string } | { type: 'image'; url: string })[] | null;
}

interface ImageGenerationCall {
  type: 'image_generation_call';
  id: string;
  status: 'in_progress' | 'completed' | 'generating' | 'failed';
  /** Base64. */
  result: string | null;
}

interface Point {
  x: number;
  y: number;
}
interface Keys {
  keys?: string[] | null;
}

type ComputerAction =
  | ({ type: 'click'; button: 'left' | 'right' | 'wheel' | 'back' | 'forward' } & Point & Keys)
  | ({ type: 'double_click'; keys: string[] | null } & Point)
  | ({ type: 'drag'; path: Point[] } & Keys)
  | { type: 'keypress'; keys: string[] }
  | ({ type: 'move' } & Point & Keys)
  | { type: 'screenshot' }
  | ({ type: 'scroll'; scroll_x: number; scroll_y: number } & Point & Keys)
  | { type: 'type'; text: string }
  | { type: 'wait' };

interface SafetyCheck {
  id: string;
  code?: string | null;
  message?: string | null;
}

interface ComputerCall {
  type: 'computer_call';
  id: string;
  call_id: string;
  status: ItemStatus;
  pending_safety_checks: SafetyCheck[];
  action?: ComputerAction;
  actions?: ComputerAction[];
}

interface ComputerCallOutput {
  type: 'computer_call_output';
  call_id: string;
  output: { type: 'computer_screenshot'; image_url?: string; file_id?: string };
  id?: string | null;
  acknowledged_safety_checks?: SafetyCheck[] | null;
  status?: ItemStatus | null;
}

interface LocalShellCall {
  type: 'local_shell_call';
  id: string;
  call_id: string;
  status: ItemStatus;
  action: {
    type: 'exec';
    command: string[];
    env: Record<string, string>;
    timeout_ms?: number | null;
    user?: string | null;
    working_directory?: string | null;
  };
}

interface LocalShellCallOutput {
  type: 'local_shell_call_output';
  /** The id of its call, where it has no `call_id`. */
  id: string;
  call_id?: string;
  output: string;
  status?: ItemStatus | null;
}

interface ShellCall {
  type: 'shell_call';
  call_id: string;
  action: { commands: string[]; max_output_length?: number | null; timeout_ms?: number | null };
  id?: string | null;
  caller?: Caller | null;
  environment?: { type: 'local' } | { type: 'container_reference'; container_id: string } | null;
  status?: ItemStatus | null;
}

interface ShellCallOutput {
  type: 'shell_call_output';
  call_id: string;
  output: { stdout: string; stderr: string; outcome: ShellOutcome }[];
  id?: string | null;
  caller?: Caller | null;
  max_output_length?: number | null;
  status?: ItemStatus | null;
}

type ShellOutcome = { type: 'timeout' } | { type: 'exit'; exit_code: number };

interface ApplyPatchCall {
  type: 'apply_patch_call';
  call_id: string;
  status: 'in_progress' | 'completed';
  operation:
    | { type: 'create_file' | 'update_file'; path: string; diff: string }
    | { type: 'delete_file'; path: string };
  id?: string | null;
  caller?: Caller | null;
}

interface ApplyPatchCallOutput {
  type: 'apply_patch_call_output';
  call_id: string;
  status: 'completed' | 'failed';
  output?: string | null;
  id?: string | null;
  caller?: Caller | null;
}

interface McpListTools {
  type: 'mcp_list_tools';
  id: string;
  server_label: string;
  tools: { name: string; input_schema: unknown; annotations?: unknown; description?: string | null }[];
}

interface McpCall {
  type: 'mcp_call';
  id: string;
  server_label: string;
  name: string;
  /** JSON. */
  arguments: string;
  approval_request_id?: string | null;
  output?: string | null;
  status?: ItemStatus | 'calling' | 'failed';
}

interface McpApprovalRequest {
  type: 'mcp_approval_request';
  id: string;
  server_label: string;
  name: string;
  /** JSON. */
  arguments: string;
}

interface McpApprovalResponse {
  type: 'mcp_approval_response';
  approval_request_id: string;
  approve: boolean;
  reason?: string | null;
  id?: string | null;
}

/** A tool that an item brings. Tools of other types are carried through too. */
interface BroughtTool {
  type: 'function';
  name: string;
  parameters: Record<string, unknown> | null;
  strict: boolean | null;
  description?: string | null;
}

/** The tools of the conversation, as its first item. */
interface AdditionalTools {
  type: 'additional_tools';
  role: 'developer';
  tools: BroughtTool[];
  id?: string | null;
}

interface ToolSearchCall {
  type: 'tool_search_call';
  arguments: unknown;
  call_id?: string | null;
  id?: string | null;
  execution?: 'server' | 'client';
  status?: ItemStatus | null;
}

interface ToolSearchOutput {
  type: 'tool_search_output';
  tools: BroughtTool[];
  call_id?: string | null;
  id?: string | null;
  execution?: 'server' | 'client';
  status?: ItemStatus | null;
}

interface ProgramItem {
  type: 'program';
  id: string;
  call_id: string;
  code: string;
  fingerprint: string;
}

interface ProgramOutput {
  type: 'program_output';
  id: string;
  call_id: string;
  result: string;
  status: 'completed' | 'incomplete';
}
