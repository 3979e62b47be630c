import { responsesCodec } from '@ctx/codec-openai';
import { asLines, type SessionWriter, timeOf } from './writing.js';

/** A rollout of Codex: the items of the Responses API, after a head. */
export const writeCodex: SessionWriter = ({ id, messages, model, provider }) => {
  const [first] = messages;
  const timestamp = first && timeOf(first);
  return asLines([
    { timestamp, type: 'session_meta', payload: { id, timestamp, model_provider: provider } },
    ...(model === undefined ? [] : [{ timestamp, type: 'turn_context', payload: { model } }]),
    ...messages.flatMap((message) =>
      responsesCodec
        .fromMessages([message])
        .map((payload) => ({ timestamp: timeOf(message), type: 'response_item', payload })),
    ),
  ]);
};
