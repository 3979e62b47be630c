import type { RunnableConfig } from '@langchain/core/runnables';
import { DynamicStructuredTool } from '@langchain/core/tools';
import { readArguments } from './arguments.js';
import { type RecallOptions, type RecallSource, recallTool } from './recall-tool.js';

/** Lets calls through that do not fit the schema: the tool itself understands them, or says what is wrong. */
class LenientTool extends DynamicStructuredTool {
  // biome-ignore lint/suspicious/noExplicitAny: as the class that it extends.
  override call(args: any, config?: any, tags?: string[]): Promise<any> {
    const { query, refs, path, kind, maxTokens } = readArguments(args);
    const given = Object.entries({ query, ref: refs.join(', '), path, kind, maxTokens });
    const inSchema = given.filter(([, value]) => value !== undefined && value !== '');
    return super.call(Object.fromEntries(inSchema), config, tags);
  }
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
