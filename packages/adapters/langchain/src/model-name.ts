import type { RequestOf } from '@ctx/conversation';

type Fields = Readonly<Record<string, unknown>>;

/** What a chat model says of itself: its provider and name, and the window in its profile. All of it may be unknown. */
export function describedModel(model: unknown): Pick<RequestOf, 'provider' | 'model' | 'window'> {
  const fields = fieldsOf(model);
  // A model that is given as a text, such as "openai:gpt-5", is made when it is first called; until then it has the settings only.
  const settings = fieldsOf(fields._defaultConfig);
  const traced = tracedAs(fields);
  const provider = text(traced.ls_provider) ?? text(settings.modelProvider);
  const name = [fields.model, fields.modelName, traced.ls_model_name, settings.model].find(text);
  const window = fieldsOf(fields.profile).maxInputTokens;
  return {
    ...(provider !== undefined && { provider: providerOf(provider) }),
    ...(name !== undefined && { model: name as string }),
    ...(typeof window === 'number' && { window }),
  };
}

/** How a model names itself in traces; nothing if it can't say. */
function tracedAs(model: Fields): Fields {
  try {
    return typeof model.getLsParams === 'function' ? fieldsOf(model.getLsParams({})) : {};
  } catch {
    return {};
  }
}

/** LangChain's `google_genai`, `google_vertexai` and `amazon_bedrock` in ctx's words. */
function providerOf(name: string): string {
  return /^google\b|^google[_-]/.test(name) ? 'google' : name.replaceAll('_', '-');
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
