import { isFields } from '@ctx/core/codec';
import type { Chat, ChatQuestion, Turn } from './chat.js';

/**
 * A meeting in the form of QMSum: turns, and questions with the spans of turns that answer them. Undefined if it has another form.
 * Questions about the whole meeting, which name no span, are skipped.
 * @see Zhong et al. 2021, QMSum: A New Benchmark for Query-based Multi-domain Meeting Summarization
 */
export function qmsumChat(value: unknown, id: string): Chat | undefined {
  if (!isFields(value) || !Array.isArray(value.meeting_transcripts)) return undefined;
  const turns = value.meeting_transcripts.flatMap((turn: unknown, index): Turn[] =>
    isFields(turn) && typeof turn.speaker === 'string' && typeof turn.content === 'string'
      ? [{ id: String(index), speaker: turn.speaker, text: turn.content.trim() }]
      : [],
  );
  const queries: readonly unknown[] = Array.isArray(value.specific_query_list)
    ? value.specific_query_list
    : [];
  return {
    id,
    source: 'qmsum',
    turns: turns.filter(({ text }) => text !== ''),
    questions: queries.flatMap((query) => questionOf(query, turns)),
  };
}

function questionOf(query: unknown, turns: readonly Turn[]): ChatQuestion[] {
  if (!isFields(query) || !Array.isArray(query.relevant_text_span)) return [];
  const spans = query.relevant_text_span.filter(Array.isArray).map(([first, last]) => ({
    first: Number(first),
    last: Number(last),
  }));
  // Both ends belong to a span.
  const evidence = turns
    .filter(({ text }) => text !== '')
    .filter(({ id }) => spans.some(({ first, last }) => Number(id) >= first && Number(id) <= last))
    .map(({ id }) => id);
  if (evidence.length === 0) return [];
  return [{ question: String(query.query ?? ''), answer: String(query.answer ?? ''), evidence }];
}
