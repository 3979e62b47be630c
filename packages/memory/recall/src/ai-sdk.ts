import { jsonSchema, type Tool, tool } from 'ai';
import { type RecallOptions, type RecallSource, recallTool } from './recall-tool.js';

/** What the AI SDK says of a call, as far as its versions 5 to 7 agree. */
export interface AiSdkCall {
  readonly toolCallId: string;
  /** The messages that the model saw. */
  readonly messages: readonly unknown[];
  /** What the host gave with the request, in versions 5 and 6. */
  readonly experimental_context?: unknown;
  /** The same in version 7. */
  readonly context?: unknown;
}

/**
 * The recall tool for `generateText`, `streamText` and agents of the AI SDK, versions 5 to 7: `tools: { recall: aiSdkRecall(manager) }`.
 * @throws ConfigError `config-invalid`
 */
export function aiSdkRecall(
  source: RecallSource<AiSdkCall>,
  options: RecallOptions = {},
): Tool<object, string> {
  const { description, parameters, run } = recallTool(source, options);
  return tool({
    description,
    inputSchema: jsonSchema<object>(parameters as object),
    execute: (args: object, call: AiSdkCall) => run(args, call),
  });
}
