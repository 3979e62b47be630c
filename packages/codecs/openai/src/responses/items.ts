type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** The program that made a call; absent where the model made it. */
type Caller = { type: 'direct' } | { type: 'program'; caller_id: string };

/**
 * An item of the `input` of OpenAI's Responses API. Every type suits the SDK's own, so that a list of these can be sent without a cast. Any
 * other item, such as a call of a tool that the API runs, and any other field comes back as it is; these types do not list it.
 */
export type ResponseInputItem =
  | InputMessage
  | OutputMessage
  | ReasoningItem
  | FunctionCallItem
  | FunctionCallOutputItem
  | CustomToolCallItem
  | CustomToolCallOutputItem
  | CompactionItem
  | CompactionTriggerItem
  | ItemReference;

/** The short form; without an id, also for the assistant's messages. */
interface InputMessage {
  type?: 'message';
  role: 'user' | 'assistant' | 'system' | 'developer';
  content: string | InputContent[];
  phase?: 'commentary' | 'final_answer' | null;
}

/** An assistant message, as in a response. */
interface OutputMessage {
  type: 'message';
  id: string;
  role: 'assistant';
  status: ItemStatus;
  content: (OutputText | OutputRefusal)[];
  phase?: 'commentary' | 'final_answer' | null;
}

type InputContent = InputText | InputImage | InputFile;

interface InputText {
  type: 'input_text';
  text: string;
}

interface InputImage {
  type: 'input_image';
  detail: 'low' | 'high' | 'auto' | 'original';
  image_url?: string | null;
  file_id?: string | null;
}

interface InputFile {
  type: 'input_file';
  file_data?: string;
  file_url?: string;
  file_id?: string | null;
  filename?: string;
}

interface OutputText {
  type: 'output_text';
  text: string;
  annotations: never[];
}

interface OutputRefusal {
  type: 'refusal';
  refusal: string;
}

/** What the model thought. The API wants it right before the item that it led to. */
interface ReasoningItem {
  type: 'reasoning';
  id: string;
  summary: { type: 'summary_text'; text: string }[];
  content?: { type: 'reasoning_text'; text: string }[];
  encrypted_content?: string | null;
  status?: ItemStatus;
}

interface FunctionCallItem {
  type: 'function_call';
  call_id: string;
  name: string;
  /** JSON. */
  arguments: string;
  id?: string;
  namespace?: string;
  caller?: Caller | null;
  status?: ItemStatus;
}

interface FunctionCallOutputItem {
  type: 'function_call_output';
  call_id: string;
  output: string | InputContent[];
  id?: string | null;
  caller?: Caller | null;
  status?: ItemStatus | null;
}

interface CustomToolCallItem {
  type: 'custom_tool_call';
  call_id: string;
  name: string;
  input: string;
  id?: string;
  namespace?: string;
  caller?: Caller | null;
}

interface CustomToolCallOutputItem {
  type: 'custom_tool_call_output';
  call_id: string;
  output: string | InputContent[];
  id?: string;
  caller?: Caller | null;
}

/** Stands in place of everything before it. */
interface CompactionItem {
  type: 'compaction';
  encrypted_content: string;
  id?: string | null;
}

/** Asks for a compaction; the last item of a request. */
interface CompactionTriggerItem {
  type: 'compaction_trigger';
}

/** An item that the provider has stored. */
interface ItemReference {
  type?: 'item_reference' | null;
  id: string;
}
