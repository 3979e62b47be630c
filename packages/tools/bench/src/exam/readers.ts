import { createHash } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFields } from '@ctx/core/codec';
import type { ExamView } from './exam-candidates.js';
import { type ExamSession, examJson, readable, unusable } from './exam-session.js';
import type { ExamPoint } from './exam-table.js';

/** The candidate of an answer whose view is not in the key: its reader had the whole conversation. */
const whole = 'the whole conversation';

const hash = (...parts: readonly unknown[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 6);
const write = (path: string, value: unknown) =>
  writeFileSync(path, `${JSON.stringify(value, undefined, 1)}\n`);
const textsIn = (path: string) => (existsSync(path) ? (examJson(path) as Record<string, string>) : {});

/**
 * Writes views under names that do not give away what made them, and the questions without their keys. `key.json` says whose view it is.
 * @param label follows the candidate's name in the tables, to compare a change with what was before
 */
export function writeViews(
  folder: string,
  { name, questions }: ExamSession,
  views: readonly ExamView[],
  label = '',
): readonly string[] {
  const keyFile = join(folder, 'key.json');
  const key = textsIn(keyFile);
  const files = views.map(({ candidate, budget, messages }) => {
    const text = readable(messages);
    const file = `v${hash(name, candidate, budget, label, text)}`;
    key[`${name}/${file}`] = `${candidate}${label === '' ? '' : ` ${label}`}@${budget}`;
    writeFileSync(join(folder, name, `${file}.txt`), text);
    return file;
  });
  write(keyFile, key);
  const asked = questions.map(({ id, question }) => `${id}. ${question}\n`).join('');
  if (asked !== '') writeFileSync(join(folder, name, 'questions.txt'), asked);
  return files;
}

/**
 * Puts all answers that are not on a sheet yet on a new one, for a grader who does not know whose they are.
 * @returns the sheets that were written
 */
export function writeSheets(folder: string, sessions: readonly ExamSession[]): string[] {
  const tag = firstFree(folder);
  return sessions.flatMap(({ name, questions }) => {
    const listed = new Set(filesOf(folder, 'labels', name).flatMap((path) => Object.keys(textsIn(path))));
    const files = readdirSync(join(folder, name)).filter((file) => /^answers-.+\.json$/.test(file));
    const added = files.filter((file) => !listed.has(file));
    if (added.length === 0 || questions.length === 0) return [];
    const labels = Object.fromEntries(added.map((file) => [file, hash('sheet', tag, name, file)]));
    const answers = added
      .map((file) => ({ label: labels[file] as string, of: answersIn(join(folder, name, file)) }))
      .sort((a, b) => (a.label < b.label ? -1 : 1));
    const sheet = questions.map(({ id, kind, question, key, accept }) => {
      const own = Object.fromEntries(answers.map(({ label, of }) => [label, of.get(id) ?? '']));
      return { id, kind, question, key, accept, answers: own };
    });
    const path = join(folder, `sheet-${tag}-${name}.json`);
    write(path, sheet);
    write(join(folder, `labels-${tag}-${name}.json`), labels);
    return [path];
  });
}

/**
 * What graders gave, and the sheets that nobody has graded yet. An answer that was graded twice counts with the mean.
 * @throws CtxError `session-record-invalid` for a grade that is missing or not from −1 to 1
 */
export function gradedPoints(
  folder: string,
  sessions: readonly ExamSession[],
): { readonly points: ExamPoint[]; readonly ungraded: string[] } {
  const key = textsIn(join(folder, 'key.json'));
  const points: ExamPoint[] = [];
  const ungraded: string[] = [];
  for (const { name, questions } of sessions)
    for (const path of filesOf(folder, 'labels', name)) {
      const gradesFile = path.replace('labels-', 'grades-');
      if (!existsSync(gradesFile)) {
        ungraded.push(path.replace('labels-', 'sheet-'));
        continue;
      }
      const grades = examJson(gradesFile);
      for (const [file, label] of Object.entries(textsIn(path))) {
        const own = isFields(grades) ? grades[label] : undefined;
        if (!isFields(own)) throw unusable(gradesFile, `There are no grades for the answers ${label}`);
        const { candidate, budget } = candidateOf(
          key[`${name}/${file.slice('answers-'.length, -'.json'.length)}`],
        );
        for (const { id, kind } of questions) {
          const grade = own[id];
          if (typeof grade !== 'number' || grade < -1 || grade > 1)
            throw unusable(gradesFile, `Answer ${id} of ${label} has no grade from −1 to 1`);
          points.push({ candidate, budget, session: name, kind, value: 100 * grade });
        }
      }
    }
  return { points, ungraded };
}

/** `name@16000`, or with something after the number. */
function candidateOf(text: string | undefined): Pick<ExamPoint, 'candidate' | 'budget'> {
  if (text === undefined) return { candidate: whole, budget: undefined };
  const at = text.lastIndexOf('@');
  const budget = Number.parseInt(text.slice(at + 1), 10);
  const more = text.slice(at + 1 + `${budget}`.length);
  return { candidate: [text.slice(0, at), more].filter((part) => part !== '').join(' '), budget };
}

function filesOf(folder: string, what: string, name: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.startsWith(`${what}-`) && file.endsWith(`-${name}.json`))
    .filter((file) => !file.slice(what.length + 1, -name.length - '-.json'.length).includes('-'))
    .sort()
    .map((file) => join(folder, file));
}

/** `a`, or the first number that no sheet has. */
function firstFree(folder: string): string {
  const files = readdirSync(folder);
  let tag = 1;
  while (files.some((file) => file.startsWith(`sheet-${tag}-`))) tag += 1;
  return `${tag}`;
}

function answersIn(path: string): Map<number, string> {
  const value = examJson(path);
  if (!Array.isArray(value)) throw unusable(path, 'Answers are a list');
  return new Map(
    value.map((one: unknown, index) => {
      if (!isFields(one) || typeof one.id !== 'number' || typeof one.answer !== 'string')
        throw unusable(`${path}[${index}]`, 'An answer has the number id and the text answer');
      return [one.id, one.answer] as const;
    }),
  );
}
