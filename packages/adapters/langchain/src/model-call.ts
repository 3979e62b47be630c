import type { RequestOf } from '@ctx/conversation';
import type { BaseMessage, SystemMessage } from '@langchain/core/messages';
import type { AgentMiddleware } from 'langchain';

type WrapModelCall = NonNullable<AgentMiddleware['wrapModelCall']>;

/** What the agent is about to ask its model: messages, tools, the model, and the run that it belongs to. */
export type ModelCall = Parameters<WrapModelCall>[0];

/** Asks the model, or the middleware further inside. */
export type Handler = Parameters<WrapModelCall>[1];

/** The messages as the model gets them: LangChain puts the system message first, unless it is empty. */
export function historyOf({ systemMessage, messages }: ModelCall): BaseMessage[] {
  return isSaid(systemMessage) ? [systemMessage, ...messages] : messages;
}

/** The call with another history; the same call if it says nothing else. */
export function withHistory(call: ModelCall, history: readonly BaseMessage[]): ModelCall {
  const { systemMessage } = call;
  const messages = isSaid(systemMessage)
    ? history.filter((message) => message !== systemMessage)
    : [...history];
  const isSame =
    messages.length === call.messages.length && messages.every((one, at) => one === call.messages[at]);
  return isSame ? call : { ...call, messages };
}

function isSaid(message: SystemMessage | undefined): message is SystemMessage {
  return message !== undefined && message.text !== '';
}

/** The key of the run's thread, if the user gave one. */
export function threadOf({ runtime }: ModelCall): string | undefined {
  const thread: unknown = runtime?.configurable?.thread_id;
  return typeof thread === 'string' && thread !== '' ? thread : undefined;
}

/** What an answer reports, in the form that `reportedUsage` reads. A structured answer holds the message that it was read from. */
export function reportIn(answer: unknown): unknown {
  const { messages } = fieldsOf(answer);
  const message = [answer, ...(Array.isArray(messages) ? messages : [])].find(
    (one) => fieldsOf(one).usage_metadata !== undefined,
  );
  const { usage_metadata: usage, response_metadata: response } = fieldsOf(message);
  const { model_name: named, model = named } = fieldsOf(response);
  // Anthropic's model puts all that came there, diagnoses too.
  return { ...fieldsOf(response), usage: { inputTokens: fieldsOf(usage).input_tokens }, model };
}

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

/** Where a call or its model may say how long the provider is to keep its cache. */
export function cacheOptionsOf({ model, modelSettings }: ModelCall): unknown {
  const { promptCacheRetention, modelKwargs, invocationKwargs } = fieldsOf(model);
  return [modelSettings, { promptCacheRetention }, modelKwargs, invocationKwargs];
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
