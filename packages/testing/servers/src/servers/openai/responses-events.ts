import type { Fields } from '@ctx/core/codec';
import { namedEvent, piecesOf } from '../stream-parts.js';

/** The events of a streamed response. */
export function responseEvents(response: Fields): string[] {
  const started = { ...response, status: 'in_progress', output: [], usage: null };
  const events: Fields[] = [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    ...(response.output as Fields[]).flatMap(itemEvents),
    { type: 'response.completed', response },
  ];
  return numbered(events);
}

/** The events of a response that fails after it began. */
export function failureEvents(response: Fields, error: Fields): string[] {
  const started = { ...response, status: 'in_progress' };
  return numbered([
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    { type: 'response.failed', response: { ...response, status: 'failed', error } },
  ]);
}

const numbered = (events: readonly Fields[]) =>
  events.map((event, sequence_number) => namedEvent({ ...event, sequence_number }));

function itemEvents(item: Fields, output_index: number): Fields[] {
  const at = { item_id: item.id, output_index };
  const done = { type: 'response.output_item.done', output_index, item };
  const added = (changed: Fields) => ({
    type: 'response.output_item.added',
    output_index,
    item: { ...item, ...changed },
  });
  switch (item.type) {
    case 'message':
      return [added({ status: 'in_progress', content: [] }), ...messageEvents(item, at), done];
    case 'reasoning':
      return [added({ summary: [] }), ...reasoningEvents(item, at), done];
    default:
      return [
        added({ status: 'in_progress', arguments: '' }),
        ...piecesOf(String(item.arguments)).map((delta) => ({
          type: 'response.function_call_arguments.delta',
          ...at,
          delta,
        })),
        {
          type: 'response.function_call_arguments.done',
          ...at,
          name: item.name,
          arguments: item.arguments,
        },
        done,
      ];
  }
}

function messageEvents(item: Fields, at: Fields): Fields[] {
  const [part] = item.content as [Fields];
  const place = { ...at, content_index: 0 };
  return [
    {
      type: 'response.content_part.added',
      ...place,
      part: { type: 'output_text', text: '', annotations: [], logprobs: [] },
    },
    ...piecesOf(String(part.text)).map((delta) => ({
      type: 'response.output_text.delta',
      ...place,
      delta,
      logprobs: [],
    })),
    { type: 'response.output_text.done', ...place, text: part.text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part },
  ];
}

function reasoningEvents(item: Fields, at: Fields): Fields[] {
  const [part] = item.summary as [Fields];
  const place = { ...at, summary_index: 0 };
  return [
    { type: 'response.reasoning_summary_part.added', ...place, part: { type: 'summary_text', text: '' } },
    ...piecesOf(String(part.text)).map((delta) => ({
      type: 'response.reasoning_summary_text.delta',
      ...place,
      delta,
    })),
    { type: 'response.reasoning_summary_text.done', ...place, text: part.text },
    { type: 'response.reasoning_summary_part.done', ...place, part },
  ];
}
