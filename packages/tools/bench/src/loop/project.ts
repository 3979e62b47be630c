import { Draw, type Scenario } from './scenario.js';

/** Numbers of two digits, so that the name of one file is no part of another's. */
const numbered = (file: number) => String(file + 1).padStart(2, '0');

/** The files that are worked on, and the tools that work on them. */
export class Project {
  readonly paths: readonly string[];
  /** Calls that read a file once more. */
  readsAgain = 0;
  /** Edits of a file that was edited already. */
  doneAgain = 0;
  readonly #texts = new Map<string, string>();
  readonly #reads = new Map<string, number>();
  readonly #edits = new Map<string, number>();
  readonly #testLines: number;
  readonly #draw = new Draw(2);
  #runs = 0;

  constructor({ files, lines, testLines }: Pick<Scenario, 'files' | 'lines' | 'testLines'>) {
    const draw = new Draw(1);
    this.#testLines = testLines;
    this.paths = Array.from({ length: files }, (_, file) => `src/mod${numbered(file)}.js`);
    for (const path of this.paths) this.#texts.set(path, fileText(path, lines, draw));
  }

  /** Runs a tool and returns what it says. */
  run(name: string, input: Readonly<Record<string, unknown>>): string {
    if (name === 'run_tests') return this.#tested();
    const path = String(input.path);
    const text = this.#texts.get(path);
    if (text === undefined) return `There is no file ${path}.`;
    if (name === 'read') return this.#read(path, text);
    const [old, fresh] = [String(input.old_string), String(input.new_string)];
    if (!text.includes(old)) return `The old text is not in ${path}.`;
    const edits = this.#edits.get(path) ?? 0;
    if (edits > 0) this.doneAgain += 1;
    this.#edits.set(path, edits + 1);
    this.#texts.set(
      path,
      text.replace(old, () => fresh),
    );
    return `Changed 1 line of ${path}.`;
  }

  /** Files that were changed, whether once or more often. */
  get changed(): number {
    return this.#edits.size;
  }

  #read(path: string, text: string): string {
    const reads = this.#reads.get(path) ?? 0;
    if (reads > 0) this.readsAgain += 1;
    this.#reads.set(path, reads + 1);
    return text
      .split('\n')
      .map((line, at) => `${at + 1}→${line}`)
      .join('\n');
  }

  #tested(): string {
    this.#runs += 1;
    const lines = Array.from({ length: this.#testLines }, (_, at) => {
      const ms = this.#draw.below(900);
      return `ok ${this.#runs * 1000 + at} - ${this.#draw.words(3)} (${ms} ms)`;
    });
    return [...lines, `${this.#testLines} passed, 0 failed in run ${this.#runs}`].join('\n');
  }
}

/** The two digits of its name. */
const keyOf = (path: string) => path.slice(-5, -3);

function fileText(path: string, lines: number, draw: Draw): string {
  const key = keyOf(path);
  return [
    revisionLine(path, 1),
    ...Array.from(
      { length: lines - 2 },
      (_, at) => `export const v${key}_${at + 2} = mix(${draw.below(9000)}, '${draw.words(2)}');`,
    ),
    `export const lines${key} = ${lines};`,
  ].join('\n');
}

/** The line of a file that is to be changed. */
export const revisionLine = (path: string, revision: number): string =>
  `export const revision${keyOf(path)} = ${revision};`;

/** Whether a text shows every line of a file whole: its last line says how many it has. */
export function showsWhole(text: string, path: string): boolean {
  const key = keyOf(path);
  const defined = definitionsIn(text);
  const total = defined.get(`lines${key}`)?.at(-1);
  if (total === undefined || !defined.has(`revision${key}`)) return false;
  const inner = Array.from({ length: Number(total) - 2 }, (_, at) => defined.get(`v${key}_${at + 2}`));
  return inner.every((values) => values?.some((value) => wholeValue.test(value)));
}

/** A line that an excerpt of a file lacks, and the handle under which all of it is; undefined if there is no excerpt, or nothing is lacking. */
export function lackingLine(text: string, path: string) {
  const key = keyOf(path);
  const excerpt = text
    .split('\n\n')
    .findLast((one) => one.startsWith('[Excerpt of a result') && one.includes(`revision${key} = `));
  const handle = /(?:ref|under) (#m\d+)/.exec(excerpt ?? '')?.[1];
  const defined = definitionsIn(text);
  const total = Number(defined.get(`lines${key}`)?.at(-1));
  if (handle === undefined || !(total > 0)) return undefined;
  const name = `v${key}_${Math.round(total / 2)}`;
  const isShown = defined.get(name)?.some((one) => wholeValue.test(one)) === true;
  return { name, handle, isShown };
}

/** The newest revision of a file that a text shows. */
export function revisionIn(text: string, path: string): number | undefined {
  const newest = definitionsIn(text)
    .get(`revision${keyOf(path)}`)
    ?.at(-1);
  return newest === undefined ? undefined : Number(newest);
}

const wholeValue = /^mix\(\d{1,4}, '[a-z]{2,9} [a-z]{2,9}'\)$/;

/** The values of each constant that a text defines on a line of its own, whole to the end, oldest first. */
function definitionsIn(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const at = line.indexOf('export const ');
    const equals = line.indexOf(' = ', at);
    if (at < 0 || equals < 0 || !line.endsWith(';')) continue;
    const name = line.slice(at + 'export const '.length, equals);
    found.set(name, [...(found.get(name) ?? []), line.slice(equals + ' = '.length, -1)]);
  }
  return found;
}
