import { type RecallParameters, recallName } from './definition.js';
import type { RecallOptions } from './recall-options.js';
import { type RecallSource, recallTool } from './recall-tool.js';

/** A block of an answer; those of type `tool_use` are calls. */
interface Block {
  readonly type: string;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly input?: unknown;
}

/** The recall tool for the Messages API. */
export interface AnthropicRecall {
  /** Goes into `tools`. */
  readonly definition: {
    name: string;
    description: string;
    input_schema: { type: 'object'; properties: RecallParameters['properties'] };
  };
  /** Answers a block that calls recall; undefined for any other. Never rejects. */
  answer(block: Block): Promise<{ type: 'tool_result'; tool_use_id: string; content: string } | undefined>;
}

/**
 * The recall tool for Anthropic's Messages API.
 * @throws ConfigError `config-invalid`
 */
export function anthropicRecall(source: RecallSource<Block>, options: RecallOptions = {}): AnthropicRecall {
  const { name, description, parameters, run } = recallTool(source, options);
  return {
    definition: { name, description, input_schema: structuredClone(parameters) },
    async answer(block) {
      if (block.type !== 'tool_use' || block.name !== recallName || block.id === undefined) return undefined;
      return { type: 'tool_result', tool_use_id: block.id, content: await run(block.input, block) };
    },
  };
}
