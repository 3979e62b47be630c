import { type RecallParameters, recallName } from './definition.js';
import type { RecallOptions } from './recall-options.js';
import { type RecallSource, recallTool } from './recall-tool.js';

/** A call in chat completions. */
interface ChatCall {
  readonly id: string;
  readonly type?: string | undefined;
  readonly function?: { readonly name: string; readonly arguments: string } | undefined;
}

/** The recall tool for chat completions. */
export interface OpenAiChatRecall {
  /** Goes into `tools`. */
  readonly definition: {
    type: 'function';
    function: { name: string; description: string; parameters: Record<string, unknown> };
  };
  /** Answers a call of the assistant's message; undefined for calls of other tools. Never rejects. */
  answer(call: ChatCall): Promise<{ role: 'tool'; tool_call_id: string; content: string } | undefined>;
}

/**
 * The recall tool for OpenAI's chat completions, and for servers that speak them.
 * @throws ConfigError `config-invalid`
 */
export function openaiChatRecall(
  source: RecallSource<ChatCall>,
  options: RecallOptions = {},
): OpenAiChatRecall {
  const { name, description, parameters, run } = recallTool(source, options);
  return {
    definition: { type: 'function', function: { name, description, parameters: schemaOf(parameters) } },
    async answer(call) {
      if (call.function?.name !== recallName) return undefined;
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

/** The recall tool for Responses. */
export interface OpenAiResponsesRecall {
  /** Goes into `tools`. */
  readonly definition: {
    type: 'function';
    name: string;
    description: string;
    parameters: Record<string, unknown>;
    strict: false;
  };
  /** Answers an item of the output that calls recall; undefined for any other. Never rejects. */
  answer(
    item: ResponsesItem,
  ): Promise<{ type: 'function_call_output'; call_id: string; output: string } | undefined>;
}

/**
 * The recall tool for OpenAI's Responses.
 * @throws ConfigError `config-invalid`
 */
export function openaiResponsesRecall(
  source: RecallSource<ResponsesItem>,
  options: RecallOptions = {},
): OpenAiResponsesRecall {
  const { name, description, parameters, run } = recallTool(source, options);
  return {
    // Strict would have a model write every argument in each call, as null.
    definition: { type: 'function', name, description, parameters: schemaOf(parameters), strict: false },
    async answer(item) {
      if (item.type !== 'function_call' || item.name !== recallName || !item.call_id) return undefined;
      return {
        type: 'function_call_output',
        call_id: item.call_id,
        output: await run(item.arguments, item),
      };
    },
  };
}

/** A copy, in the loose type that the SDKs have for schemas. */
function schemaOf(parameters: RecallParameters): Record<string, unknown> {
  return { ...structuredClone(parameters) };
}
