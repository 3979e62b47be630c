import type { RunnableConfig } from '@langchain/core/runnables';
import { DynamicStructuredTool } from '@langchain/core/tools';
import { readArguments } from './arguments.js';
import { type RecallOptions, type RecallSource, recallTool } from './recall-tool.js';

/** Lets calls through that do not fit the schema: the tool itself understands them, or says what is wrong. */
class LenientTool extends DynamicStructuredTool {
  // biome-ignore lint/suspicious/noExplicitAny: as the class that it extends.
  override call(args: any, config?: any, tags?: string[]): Promise<any> {
    return super.call(asInSchema(args), config, tags);
  }
}

function asInSchema(args: unknown): object {
  const { query, refs, path, kind, maxTokens } = readArguments(args);
  const given = { query, ref: refs.join(', '), path, kind, maxTokens };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== ''));
}

/**
 * The recall tool for LangChain: `createAgent({ tools: [langchainRecall(manager)] })`. A function in place of the source is given the
 * configuration of the run, with its `configurable.thread_id`.
 * @throws ConfigError `config-invalid`
 */
export function langchainRecall(
  source: RecallSource<RunnableConfig | undefined>,
  options: RecallOptions = {},
): DynamicStructuredTool {
  const { name, description, parameters, run } = recallTool(source, options);
  return new LenientTool({
    name,
    description,
    schema: parameters as object,
    func: (args: object, _manager: unknown, config?: RunnableConfig) => run(args, config),
  });
}
