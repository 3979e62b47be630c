const vm = require('node:vm');
const { unchangedGlobals } = require('./unchanged-globals.cjs');

/** The values of `unchangedGlobals` in each context. */
const valuesIn = new WeakMap();
const valuesOf = new vm.Script(`[${unchangedGlobals.map((name) => `globalThis.${name}`)}]`);

function globalsOf(context) {
  const values = valuesIn.get(context) ?? valuesOf.runInContext(context);
  valuesIn.set(context, values);
  return values;
}

/** Characters of the modules whose compiled form a worker keeps, so that it stays below a gigabyte. */
const room = 30_000_000;

/** In the order of their last use. */
const compiled = new Map();
let size = 0;

function forget(filename) {
  size -= compiled.get(filename)?.source.length ?? 0;
  compiled.delete(filename);
}

/** What a function may begin with or hold, but not a script that is shared. */
const onlyInFunction = /^#!|\bimport\s*\(/;

function compile(source, parameters, filename) {
  if (onlyInFunction.test(source)) return undefined;
  const opening = `(function(${unchangedGlobals}){return function(${parameters}){`;
  return new vm.Script(`${opening}${source}\n}})`, { filename, columnOffset: -opening.length });
}

/** Undefined for a module that cannot be shared. */
function scriptOf(source, parameters, filename) {
  const known = compiled.get(filename);
  forget(filename);
  const isKnown = known?.source === source && known.parameters === parameters;
  const script = isKnown ? known.script : compile(source, parameters, filename);
  compiled.set(filename, { source, parameters, script });
  size += source.length;
  for (const oldest of compiled.keys()) {
    if (size <= room) break;
    forget(oldest);
  }
  return script;
}

const { compileFunction } = vm;

/**
 * Lets the test files of a worker share what Node compiled of a module. Each runs all modules anew in a context of its own, for which jest
 * also compiles them anew: more than a tenth of the time of core's tests.
 */
exports.shareCompiledModules = () => {
  vm.compileFunction = (source, parameters = [], options = {}) => {
    const { filename, parsingContext } = options;
    const isModule = parsingContext !== undefined && filename !== undefined;
    const script = isModule ? scriptOf(source, parameters.join(), filename) : undefined;
    if (script === undefined) return compileFunction(source, parameters, options);
    return script.runInContext(parsingContext)(...globalsOf(parsingContext));
  };
};
