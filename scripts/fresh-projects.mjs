/**
 * Projects of users, made from tarballs: one for each way in which a program finds packages, with the programs of the README.
 */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { packagesOf, readmePrograms } from './readme-programs.mjs';
import { npm, readJson, root, started } from './tools.mjs';

/** What the README takes as given: a client that answers by itself, and a session of this repository. */
const given = {
  imports: `import { readFileSync } from 'node:fs';
import { openaiCodec } from '@ctx/codec-openai';
import OpenAI from 'openai';
`,
  rest: `export const chat = JSON.parse(readFileSync('examples/sessions/late-check.openai.jsonl', 'utf8')).messages;
export const openai = new OpenAI({ apiKey: 'none', fetch: async () => Response.json({ choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' } }] }) });
export const model = 'any';
export const tools = [];
export const session = [chat, chat, chat].flatMap((messages) => openaiCodec.toMessages(messages));`,
};

/** Starts a server that speaks OpenAI's API, and then the program that is named. */
const start = `import { pathToFileURL } from 'node:url';
import { startOpenAiServer } from '${pathToFileURL(join(root, 'packages/testing/servers/dist/index.js')).href}';
const { url } = await startOpenAiServer();
Object.assign(process.env, { OPENAI_BASE_URL: url + '/v1', OPENAI_API_KEY: 'none' });
const program = await import(pathToFileURL(process.argv[2]).href);
await (program.done ?? program.default?.done);
setImmediate(() => process.exit());
`;

const esm = (imports, rest) => `${imports}\n${rest}\nexport {};\n`;
/** A module without `await` outside of functions, as CommonJS has none. */
const awaiting = (imports, rest) =>
  rest.startsWith('export ')
    ? `${imports}\n${rest}\n`
    : `${imports}\nasync function main() {\n${rest}\n}\nexport const done = main();\n`;
/** `import { a as b }` and `import a` as CommonJS has them. */
const requiring = (text) =>
  text
    .replace(/^import (\{[^}]+\}) from ('[^']+');$/gm, (_, names, from) => {
      return `const ${names.replaceAll(' as ', ': ')} = require(${from});`;
    })
    .replace(/^import (\w+) from ('[^']+');$/gm, 'const { default: $1 } = require($2);')
    .replace(/^export const (\w+)/gm, 'const $1 = exports.$1');

const strict = { strict: true, target: 'es2022', lib: ['es2023'], types: ['node'], outDir: 'out' };
const nodenext = { ...strict, module: 'nodenext' };
const bundler = { ...strict, module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'dom'] };

/** Each in the folder of its name: the kind of its modules, the form of its files, what compiles them, and what bundles them. */
const projects = {
  'nodenext-ts5': { type: 'module', write: esm, typescript: 'typescript5', options: nodenext },
  'nodenext-ts7': { type: 'module', write: esm, typescript: 'typescript7', options: nodenext },
  'bundler-ts5': { type: 'module', write: esm, typescript: 'typescript5', options: bundler, isBundled: true },
  'bundler-ts7': { type: 'module', write: esm, typescript: 'typescript7', options: bundler, isBundled: true },
  'commonjs-ts5': { type: 'commonjs', write: awaiting, typescript: 'typescript5', options: nodenext },
  'commonjs-ts7': { type: 'commonjs', write: awaiting, typescript: 'typescript7', options: nodenext },
  javascript: { type: 'module', write: esm },
  'javascript-commonjs': { type: 'commonjs', write: (...parts) => requiring(awaiting(...parts)) },
};

/** The version that this repository itself is tested with. */
const versionOf = (name) =>
  readJson(join(root, 'examples/package.json')).devDependencies[name] ??
  readJson(join(root, 'package.json')).devDependencies[name];

/** Installs packages from tarballs, and what they depend on from the registry, into a new folder. */
async function install(folder, packed, names) {
  mkdirSync(folder, { recursive: true });
  const files = Object.fromEntries(packed.map(({ name, tarball }) => [name, `file:${tarball}`]));
  const dependencies = {
    ...Object.fromEntries(names.map((name) => [name, files[name] ?? versionOf(name)])),
    '@types/node': versionOf('@types/node'),
    typescript5: 'npm:typescript@~5.9.0',
    typescript7: 'npm:typescript@~7.0.0',
  };
  const manifest = { name: 'fresh', private: true, type: 'module', dependencies, overrides: files };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  return started([npm(), 'install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder });
}

/** Makes one project next to the installed packages, and runs its programs. */
async function tried(folder, name, programs) {
  const { type, write, typescript, options, isBundled } = projects[name];
  const project = join(folder, name);
  mkdirSync(project);
  cpSync(join(root, 'examples/sessions'), join(project, 'examples/sessions'), { recursive: true });
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name, private: true, type }));
  const extension = typescript === undefined ? 'js' : 'ts';
  const files = { given, ...Object.fromEntries(programs.map((one) => [`readme-${one.line}`, one])) };
  for (const [file, { imports, rest }] of Object.entries(files))
    writeFileSync(join(project, `${file}.${extension}`), write(imports, rest));
  if (typescript !== undefined) {
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, include: ['*.ts'] }),
    );
    const compiled = await started([join(folder, 'node_modules', typescript, 'bin/tsc'), '-p', '.'], {
      cwd: project,
    });
    if (compiled.status !== 0) return compiled;
  }
  const out = typescript === undefined ? project : join(project, 'out');
  for (const { line, printed } of programs) {
    const file = join(out, `readme-${line}.${isBundled ? 'mjs' : 'js'}`);
    if (isBundled) await bundled(join(out, `readme-${line}.js`), file);
    const { status, all, out: said } = await started([join(folder, 'start.mjs'), file], { cwd: project });
    if (status !== 0) return { status, all: `README.md:${line} in ${name}\n${all}` };
    if (printed !== undefined && said !== printed)
      return { status: 1, all: `README.md:${line} in ${name} prints\n${said}` };
  }
  return { status: 0 };
}

/** As a user's bundler does it, with everything in one file. */
async function bundled(entry, outfile) {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
    banner: {
      js: `import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);`,
    },
  });
}

/** Checks for `sideBySide`, after packages were installed: a fresh project of each kind runs the README. */
export async function freshProjects(folder, packed) {
  const programs = readmePrograms();
  const needed = packagesOf([...programs, given]).filter((name) => !name.startsWith('node:'));
  const installed = await install(folder, packed, needed);
  if (installed.status !== 0) return { install: async () => installed };
  writeFileSync(join(folder, 'start.mjs'), start);
  return Object.fromEntries(
    Object.keys(projects).map((name) => [`README in ${name}`, () => tried(folder, name, programs)]),
  );
}
