import { dirname, join, resolve } from 'node:path';
import { root, visit } from './sources.mjs';

const errorName = /^[A-Z]\w*Error$/;
const ours = /^(CtxError|ValidationError|ConfigError|ContextOverflowError)$/;

/** The literal `code` of the first argument of `new SomeError({ code })`. */
function codeOf({ arguments: args }) {
  const fields = args?.[0]?.expression;
  if (fields?.type !== 'ObjectExpression') return undefined;
  const property = fields.properties.find(({ key }) => key?.value === 'code');
  return property?.value?.type === 'StringLiteral' ? property.value.value : undefined;
}

/** The functions of a file by name, methods as `Class.method`, with their syntax trees. */
export function functionsIn(body) {
  const functions = new Map();
  const isFunction = (node) => /^(Arrow)?FunctionExpression$/.test(node?.type);
  for (const item of body) {
    const node = item.type === 'ExportDeclaration' ? item.declaration : item;
    const entry = { node, span: item.span, exported: item.type === 'ExportDeclaration' };
    if (node.type === 'FunctionDeclaration') functions.set(node.identifier.value, entry);
    if (node.type === 'VariableDeclaration')
      for (const { id, init } of node.declarations)
        if (isFunction(init)) functions.set(id.value, { ...entry, node: init });
    if (node.type === 'ClassDeclaration')
      for (const member of node.body) {
        if (member.type === 'ClassMethod' || member.type === 'Constructor')
          functions.set(`${node.identifier.value}.${member.key?.value ?? 'constructor'}`, {
            ...entry,
            node: member,
            span: member.span,
          });
      }
  }
  return functions;
}

/** Local name → where it comes from. */
function importsOf(body) {
  const imports = new Map();
  for (const { type, source, specifiers } of body) {
    if (type !== 'ImportDeclaration') continue;
    for (const { local, imported } of specifiers)
      imports.set(local.value, { name: (imported ?? local).value, source: source.value });
  }
  return imports;
}

const atOnce = /^(map|flatMap|forEach|filter|find|findIndex|some|every|reduce|sort|then)$/;

/** True where a function inside of another runs when that one does, not when somebody calls it later. */
function runsAtOnce(node, call) {
  const isArgument =
    call?.type === 'CallExpression' && call.arguments.some(({ expression }) => expression === node);
  return isArgument && atOnce.test(call.callee.property?.value ?? '');
}

/** What a function throws itself, makes as an error for others to throw, and calls, leaving out what a `try` catches. */
function conductOf(node) {
  const [thrown, made, calls, thrownCalls] = [[], [], [], []];
  visit(node, (one, ancestors) => {
    const isCaught = ancestors.some(
      (parent, at) => parent.type === 'TryStatement' && parent.handler && ancestors[at + 1] === parent.block,
    );
    const isLater = ancestors.some(
      (inner, at) =>
        at > 0 &&
        /Function(Expression|Declaration)|Method/.test(inner.type) &&
        !runsAtOnce(inner, ancestors[at - 1]),
    );
    if (isCaught || isLater) return;
    const parent = ancestors.at(-1);
    if (
      one.type === 'NewExpression' &&
      errorName.test(one.callee?.value ?? '') &&
      ours.test(one.callee.value)
    ) {
      const error = { error: one.callee.value, code: codeOf(one) };
      (ancestors.some(({ type }) => type === 'ThrowStatement') ? thrown : made).push(error);
    }
    if (one.type === 'CallExpression' && one.callee.type === 'Identifier')
      (parent?.type === 'ThrowStatement' ? thrownCalls : calls).push(one.callee.value);
  });
  return { thrown, made, calls, thrownCalls };
}

/** What the functions of these files throw, and every code that stands in them. */
export function throwersIn(files) {
  const conduct = new Map();
  const imports = new Map();
  const codes = [];
  for (const [file, { body, lineAt }] of files) {
    imports.set(file, importsOf(body));
    for (const [name, { node }] of functionsIn(body)) conduct.set(`${file} ${name}`, conductOf(node));
    visit(body, (node) => {
      const code = node.type === 'NewExpression' && ours.test(node.callee?.value ?? '') && codeOf(node);
      if (code) codes.push({ file, line: lineAt(node.span.start), code });
    });
  }
  const core = join(root, 'packages/core/src');
  const coreFiles = new Map();
  for (const { type, source, specifiers } of ['index', 'kit', 'codec'].flatMap(
    (door) => files.get(join(core, `${door}.ts`))?.body ?? [],
  )) {
    if (type !== 'ExportNamedDeclaration' || !source) continue;
    for (const { orig, exported } of specifiers)
      coreFiles.set((exported ?? orig).value, resolve(core, source.value.replace(/\.js$/, '.ts')));
  }
  const whereIs = (file, name) => {
    if (conduct.has(`${file} ${name}`)) return `${file} ${name}`;
    const from = imports.get(file)?.get(name);
    if (from === undefined) return undefined;
    const target = from.source.startsWith('.')
      ? resolve(dirname(file), from.source.replace(/\.js$/, '.ts'))
      : /^@ctx\/core(\/|$)/.test(from.source)
        ? coreFiles.get(from.name)
        : undefined;
    return target && `${target} ${from.name}`;
  };

  /** What a function throws: itself, or in a function that it calls directly. */
  const by = (file, name) => {
    const own = conduct.get(`${file} ${name}`);
    if (own === undefined) return [];
    const behind = (names, kind) =>
      names.flatMap((via) => (conduct.get(whereIs(file, via))?.[kind] ?? []).map((one) => ({ ...one, via })));
    const all = [...own.thrown, ...behind(own.thrownCalls, 'made'), ...behind(own.calls, 'thrown')];
    return [...new Map(all.map((one) => [`${one.error} ${one.code}`, one])).values()];
  };
  return { codes, by };
}
