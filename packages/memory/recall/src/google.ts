import { type RecallParameters, recallName } from './definition.js';
import type { RecallOptions } from './recall-options.js';
import { type RecallSource, recallTool } from './recall-tool.js';

/** A part of an answer; those with a `functionCall` are calls. */
interface Part {
  readonly functionCall?:
    | { readonly id?: string | undefined; readonly name?: string | undefined; readonly args?: unknown }
    | undefined;
}

/** The recall tool for the Gemini API. */
export interface GoogleRecall {
  /** Goes into `functionDeclarations`. */
  readonly definition: { name: string; description: string; parametersJsonSchema: RecallParameters };
  /** Answers a part that calls recall; undefined for any other. Never rejects. */
  answer(
    part: Part,
  ): Promise<{ functionResponse: { id?: string; name: string; response: { output: string } } } | undefined>;
}

/**
 * The recall tool for Google's Gemini API.
 * @throws ConfigError `config-invalid`
 */
export function googleRecall(source: RecallSource<Part>, options: RecallOptions = {}): GoogleRecall {
  const { name, description, parameters, run } = recallTool(source, options);
  return {
    definition: { name, description, parametersJsonSchema: structuredClone(parameters) },
    async answer(part) {
      const { functionCall } = part;
      if (functionCall?.name !== recallName) return undefined;
      const output = await run(functionCall.args, part);
      const id = functionCall.id === undefined ? {} : { id: functionCall.id };
      return { functionResponse: { ...id, name, response: { output } } };
    },
  };
}
