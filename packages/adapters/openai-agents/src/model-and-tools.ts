import type { Model } from '@openai/agents';

/** The name of the model that a model of the SDK asks; `undefined` if it doesn't say. Those of OpenAI keep it in `_model`. */
export function modelNameOf(model: Model | string | undefined): string | undefined {
  if (typeof model === 'string') return model === '' ? undefined : model;
  const { model: named, _model: kept = named } = (model ?? {}) as { model?: unknown; _model?: unknown };
  return typeof kept === 'string' && kept !== '' ? kept : undefined;
}

type Tool = Readonly<Record<string, unknown>>;

/** What of tools and handoffs is sent, so that it is counted. Tools of an agent hold functions, too. */
export function declared(tools: readonly unknown[]): Tool[] {
  return tools.map((tool) => {
    const { type, name, description, parameters, providerData, toolName, toolDescription, inputJsonSchema } =
      tool as Tool;
    const fields = {
      type,
      name,
      description,
      parameters,
      providerData,
      toolName,
      toolDescription,
      inputJsonSchema,
    };
    return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  });
}
