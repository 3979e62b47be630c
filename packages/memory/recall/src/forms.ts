import { type RecallOptions, type RecallParameters, type RecallSource, recallTool } from './recall-tool.js';

type Schema = Record<string, unknown>;

/** The recall tool in the form of an API. */
interface RecallForm<Definition, Call, Answer> {
  /** Goes into `tools`; for Gemini into `functionDeclarations`. */
  readonly definition: Definition;
  /** Answers a call of recall; undefined for anything else. Never rejects. */
  answer(call: Call): Promise<Answer | undefined>;
}

/** A call in chat completions. */
interface ChatCall {
  readonly id: string;
  readonly type?: string | undefined;
  readonly function?: { readonly name: string; readonly arguments: string } | undefined;
}

/**
 * The recall tool for OpenAI's chat completions, and for servers that speak them.
 * @throws ConfigError `config-invalid`
 */
export function openaiChatRecall(
  source: RecallSource<ChatCall>,
  options: RecallOptions = {},
): RecallForm<
  { type: 'function'; function: { name: string; description: string; parameters: Schema } },
  ChatCall,
  { role: 'tool'; tool_call_id: string; content: string }
> {
  const { name, description, parameters, run } = recallTool(source, options);
  return {
    definition: { type: 'function', function: { name, description, parameters: schemaOf(parameters) } },
    async answer(call) {
      if (call.function?.name !== name) return undefined;
      return { role: 'tool', tool_call_id: call.id, content: await run(call.function.arguments, call) };
    },
  };
}

/** An item of a response; those of type `function_call` are calls. */
interface ResponsesItem {
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly call_id?: string | null | undefined;
  readonly arguments?: string | undefined;
}

/**
 * The recall tool for OpenAI's Responses.
 * @throws ConfigError `config-invalid`
 */
export function openaiResponsesRecall(
  source: RecallSource<ResponsesItem>,
  options: RecallOptions = {},
): RecallForm<
  { type: 'function'; name: string; description: string; parameters: Schema; strict: false },
  ResponsesItem,
  { type: 'function_call_output'; call_id: string; output: string }
> {
  const { name, description, parameters, run } = recallTool(source, options);
  return {
    // Strict would have a model write every argument in each call, as null.
    definition: { type: 'function', name, description, parameters: schemaOf(parameters), strict: false },
    async answer(item) {
      if (item.type !== 'function_call' || item.name !== name || !item.call_id) return undefined;
      const output = await run(item.arguments, item);
      return { type: 'function_call_output', call_id: item.call_id, output };
    },
  };
}

/** A block of an answer of Anthropic's; those of type `tool_use` are calls. */
interface Block {
  readonly type: string;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly input?: unknown;
}

/**
 * The recall tool for Anthropic's Messages API.
 * @throws ConfigError `config-invalid`
 */
export function anthropicRecall(
  source: RecallSource<Block>,
  options: RecallOptions = {},
): RecallForm<
  {
    name: string;
    description: string;
    input_schema: { type: 'object'; properties: RecallParameters['properties'] };
  },
  Block,
  { type: 'tool_result'; tool_use_id: string; content: string }
> {
  const { name, description, parameters, run } = recallTool(source, options);
  return {
    definition: { name, description, input_schema: structuredClone(parameters) },
    async answer(block) {
      if (block.type !== 'tool_use' || block.name !== name || block.id === undefined) return undefined;
      return { type: 'tool_result', tool_use_id: block.id, content: await run(block.input, block) };
    },
  };
}

/** A part of an answer of Gemini's; those with a `functionCall` are calls. */
interface GooglePart {
  readonly functionCall?:
    | { readonly id?: string | undefined; readonly name?: string | undefined; readonly args?: unknown }
    | undefined;
}

/**
 * The recall tool for Google's Gemini API.
 * @throws ConfigError `config-invalid`
 */
export function googleRecall(
  source: RecallSource<GooglePart>,
  options: RecallOptions = {},
): RecallForm<
  { name: string; description: string; parametersJsonSchema: RecallParameters },
  GooglePart,
  { functionResponse: { id?: string; name: string; response: { output: string } } }
> {
  const { name, description, parameters, run } = recallTool(source, options);
  return {
    definition: { name, description, parametersJsonSchema: structuredClone(parameters) },
    async answer(part) {
      const { functionCall } = part;
      if (functionCall?.name !== name) return undefined;
      const output = await run(functionCall.args, part);
      const id = functionCall.id === undefined ? {} : { id: functionCall.id };
      return { functionResponse: { ...id, name, response: { output } } };
    },
  };
}

/** A copy, in the loose type that the SDKs have for schemas. */
function schemaOf(parameters: RecallParameters): Schema {
  return { ...structuredClone(parameters) };
}
