import { type Average, averaged, grouped, pairedDifference, samplesOf } from '../averages.js';
import { type Column, signed, type Table, tableOf, tokensText, withError } from '../table.js';
import { type QuestionKind, questionKinds } from './exam-session.js';

/** What one candidate's view was worth for one question, −100 to 100. */
export interface ExamPoint {
  readonly candidate: string;
  /** Tokens. Undefined for the whole conversation. */
  readonly budget: number | undefined;
  readonly session: string;
  readonly kind: QuestionKind;
  readonly value: number;
}

/** One candidate at one size: points of 100. */
export interface ExamRow {
  readonly candidate: string;
  readonly budget?: number;
  readonly points: Average;
  /** More than the default pipeline at this size has, paired by session. */
  readonly difference?: Average;
  readonly kinds: Partial<Record<QuestionKind, number>>;
  /** Of each session, in the order of their names. */
  readonly sessions: readonly number[];
}

const ours = 'default pipeline';

/** The largest size first, and at each the best candidate first. */
export function examRows(points: readonly ExamPoint[]): ExamRow[] {
  const groups = grouped(points, ({ candidate, budget }) => JSON.stringify([candidate, budget]));
  const rows = [...groups.values()].map((own): ExamRow => {
    const [{ candidate, budget }] = own;
    const base = points.filter((one) => one.candidate === ours && one.budget === budget);
    const difference = candidate === ours ? undefined : pairedDifference(samples(own), samples(base));
    return {
      candidate,
      ...(budget !== undefined && { budget }),
      points: averaged(sourced(own), ({ value }) => value) as Average,
      ...(difference && { difference }),
      kinds: Object.fromEntries(
        questionKinds.flatMap((kind) => {
          const average = averaged(sourced(own.filter((one) => one.kind === kind)), ({ value }) => value);
          return average === undefined ? [] : [[kind, average.mean]];
        }),
      ),
      sessions: [...grouped(own, ({ session }) => session)]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, of]) => averaged(sourced(of), ({ value }) => value)?.mean ?? 0),
    };
  });
  const sizeOf = ({ budget = Number.POSITIVE_INFINITY }: ExamRow) => budget;
  return rows.sort((a, b) =>
    sizeOf(a) === sizeOf(b) ? b.points.mean - a.points.mean : sizeOf(b) - sizeOf(a),
  );
}

/** @param what was measured: readers' grades or evidence */
export function examTable(rows: readonly ExamRow[], what: string): Table {
  return tableOf(`${what}, points of 100 (± over sessions)`, rows, [
    ['candidate', ({ candidate }) => candidate],
    ['tokens', ({ budget }) => (budget === undefined ? 'all' : tokensText(budget))],
    ['points', ({ points }) => withError(points)],
    ['sessions', ({ points }) => points.sessions],
    [`to ${ours}`, ({ difference }) => signed(difference)],
    ...questionKinds.map((kind): Column<ExamRow> => [kind, ({ kinds }) => kinds[kind]?.toFixed(0) ?? '–']),
  ]);
}

const sourced = (points: readonly ExamPoint[]) => points.map((point) => ({ ...point, source: 'exam' }));
const samples = (points: readonly ExamPoint[]) => samplesOf(sourced(points), ({ value }) => value);
