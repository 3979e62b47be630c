import { isFields } from '@ctx/core/codec';
import type { Chat, ChatQuestion, Turn } from './chat.js';

/** Questions without an answer in the chat, made to mislead. */
const adversarial = 5;

/**
 * A chat in the form of LoCoMo: sessions of turns, and questions with the ids of the turns that answer them. Undefined if it has another
 * form. Questions that can't be answered are skipped, as are those whose turns are not in the chat.
 * @see Maharana et al. 2024, Evaluating Very Long-Term Conversational Memory of LLM Agents
 */
export function locomoChat(value: unknown, id: string): Chat | undefined {
  if (!isFields(value) || !isFields(value.conversation) || !Array.isArray(value.qa)) return undefined;
  const turns = sessionsIn(value.conversation).flatMap(({ turns: said, date }) =>
    said.flatMap((turn, index) => turnOf(turn, index === 0 ? date : undefined)),
  );
  const known = new Set(turns.map((turn) => turn.id));
  const name = typeof value.sample_id === 'string' ? value.sample_id : id;
  return {
    id: name,
    source: 'locomo',
    turns,
    questions: value.qa.flatMap((question: unknown) => questionOf(question, known)),
  };
}

function sessionsIn(conversation: Readonly<Record<string, unknown>>) {
  return Object.entries(conversation)
    .flatMap(([key, turns]) => {
      const [, number] = /^session_(\d+)$/.exec(key) ?? [];
      if (number === undefined || !Array.isArray(turns)) return [];
      const date = conversation[`${key}_date_time`];
      const said: readonly unknown[] = turns;
      return [{ number: Number(number), turns: said, date: typeof date === 'string' ? date : undefined }];
    })
    .sort((a, b) => a.number - b.number);
}

function turnOf(turn: unknown, date: string | undefined): Turn[] {
  if (!isFields(turn) || typeof turn.speaker !== 'string' || typeof turn.text !== 'string') return [];
  const [id] = idsIn(turn.dia_id);
  if (id === undefined || turn.text.trim() === '') return [];
  const picture =
    typeof turn.blip_caption === 'string' ? `shares a picture: ${turn.blip_caption}` : undefined;
  const note = [date, picture].filter((one) => one !== undefined).join('; ');
  return [{ id, speaker: turn.speaker, text: turn.text.trim(), ...(note !== '' && { note }) }];
}

function questionOf(qa: unknown, known: ReadonlySet<string>): ChatQuestion[] {
  if (!isFields(qa) || qa.category === adversarial || qa.answer === undefined) return [];
  const evidence = [...new Set(idsIn(qa.evidence))];
  if (evidence.length === 0 || evidence.some((id) => !known.has(id))) return [];
  return [{ question: String(qa.question ?? ''), answer: String(qa.answer), evidence }];
}

/** Ids of turns. The published file writes some as `D:11:26` or `D30:05`, and several as one text. */
function idsIn(value: unknown): string[] {
  const texts: unknown[] = Array.isArray(value) ? value : [value];
  return texts.flatMap((text) =>
    typeof text !== 'string'
      ? []
      : [...text.matchAll(/D:?(\d+):(\d+)/g)].map(
          ([, session, turn]) => `D${Number(session)}:${Number(turn)}`,
        ),
  );
}
