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
  const event = (name: string, fields: Fields) => ({
    type: `response.${name}`,
    item_id: item.id,
    output_index,
    ...fields,
  });
  const deltas = (name: string, text: unknown, fields: Fields = {}) =>
    piecesOf(String(text)).map((delta) => event(`${name}.delta`, { ...fields, delta }));
  /** The events of the one text of an item. */
  const textEvents = (list: string, index: string, [part, text]: [string, string], more: Fields = {}) => {
    const [own] = item[list] as [Fields];
    const place = { [index]: 0 };
    return [
      event(`${part}.added`, { ...place, part: { ...own, text: '' } }),
      ...deltas(text, own.text, { ...place, ...more }),
      event(`${text}.done`, { ...place, text: own.text, ...more }),
      event(`${part}.done`, { ...place, part: own }),
    ];
  };
  const whole = (emptied: Fields, inner: Fields[]): Fields[] => [
    { type: 'response.output_item.added', output_index, item: { ...item, ...emptied } },
    ...inner,
    { type: 'response.output_item.done', output_index, item },
  ];
  const { type, name, arguments: given } = item;
  const [status, logprobs] = ['in_progress', []];
  if (type === 'message')
    return whole(
      { status, content: [] },
      textEvents('content', 'content_index', ['content_part', 'output_text'], { logprobs }),
    );
  if (type === 'reasoning') {
    const names: [string, string] = ['reasoning_summary_part', 'reasoning_summary_text'];
    return whole({ summary: [] }, textEvents('summary', 'summary_index', names));
  }
  if (type === 'compaction') return whole({}, [event('compaction.compacting', {})]);
  const called = 'function_call_arguments';
  return whole({ status, arguments: '' }, [
    ...deltas(called, given),
    event(`${called}.done`, { name, arguments: given }),
  ]);
}
