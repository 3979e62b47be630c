import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packagesIn } from '../../scripts/packages.cjs';

export const root = fileURLToPath(new URL('../../', import.meta.url));
/** The snippets as files; not part of the repository. */
export const written = join(root, 'examples/.ctx/snippets');

/** A block of TypeScript in a document. */
export interface Snippet {
  /** Its document and the line it begins at. */
  readonly place: string;
  readonly file: string;
  readonly code: string;
  /** True if an SDK in it does not run on the oldest Node that this project supports. */
  readonly inNewerNode: boolean;
  /** True for tests, which run in jest. */
  readonly inJest: boolean;
  /** What it has to print, if the document shows that. */
  readonly prints: string | undefined;
}

const block = /(?:<!-- snippet: ([^\n]*?) -->\n)?^```(?:ts|typescript)\n([\s\S]*?)^```$/gm;
/** What stands after a block that says what it prints. */
const output = /^\n+prints\n\n```\n([\s\S]*?)\n```/;

/**
 * Writes every snippet into a file of its own, with a configuration next to them that checks their types.
 * @param folder beside the default one, as what they import is relative to it
 */
export function writeSnippets(folder = written): Snippet[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const compilerOptions = { noEmit: true, composite: false, declarationMap: false, types: ['node', 'jest'] };
  const config = { extends: '../../../tsconfig.base.json', compilerOptions, include: ['*.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  return documents().flatMap((document) => snippetsIn(document, folder));
}

function documents(): string[] {
  const inDocs = readdirSync(join(root, 'docs'), { recursive: true }).map(
    (name) => `docs/${String(name).replaceAll('\\', '/')}`,
  );
  const inPackages = packagesIn(root).map(({ folder }) => `${folder}/README.md`);
  return ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', ...inDocs, ...inPackages].filter(
    (path) => path.endsWith('.md') && existsSync(join(root, path)),
  );
}

/**
 * A comment right above a block, `<!-- snippet: given session, tools; continues -->`, says how to treat it:
 * - `given NAME, …`: it uses what `given.ts` exports;
 * - `continues`: it continues the block before;
 * - `in jest`: it is a test;
 * - `prints`: after it stand the word "prints" and a block with all that it prints;
 * - `laws of NAME`: NAME is a strategy, and keeps every law;
 * - `in a newer Node`: an SDK in it needs more than the oldest Node that this project supports.
 */
function snippetsIn(document: string, folder: string): Snippet[] {
  const text = readFileSync(join(root, document), 'utf8');
  let before = '';
  return [...text.matchAll(block)].map(({ 0: whole, 1: said, 2: code = '', index }) => {
    const line = text.slice(0, index + whole.indexOf('```')).split('\n').length;
    const place = `${document}:${line}`;
    const remarks = new Map(
      (said ?? '').split('; ').map((remark) => {
        const [, key = '', value = ''] =
          /^(given|continues|in jest|prints|laws of|in a newer Node)(?: (.+))?$/.exec(remark) ?? [];
        if (said !== undefined && key === '') throw new Error(`${place}: "${remark}" means nothing`);
        return [key, value];
      }),
    );
    const [given, strategy] = [remarks.get('given'), remarks.get('laws of')];
    const head = remarks.has('continues') ? before : '';
    const inJest = remarks.has('in jest') || strategy !== undefined;
    const opening = given === undefined ? '' : `import { ${given} } from '../../snippets/given.js';\n`;
    before = `${head}${opening}${code}`;
    const laws = `testStrategy(${JSON.stringify(place)}, () => ${strategy});\n`;
    const tested = `import { testStrategy } from '@ctx/testing';\n${before}${laws}`;
    const file = join(folder, `${document.replace(/\W+/g, '-')}-${line}.ts`);
    writeFileSync(file, `${strategy === undefined ? before : tested}export {};\n`);
    const prints = remarks.has('prints') ? output.exec(text.slice(index + whole.length))?.[1] : undefined;
    if (remarks.has('prints') && prints === undefined)
      throw new Error(`${place}: no block after it says what it prints`);
    return { place, file, code, inNewerNode: remarks.has('in a newer Node'), inJest, prints };
  });
}
