import type { ToolCallPart } from '@ctx/core';
import { fileReadTools, fileToolOf, fileWriteTools, pathsOf, terminalTools } from '@ctx/core/kit';
import { argumentsOf } from '../call-title.js';
import { planOf } from './plan-list.js';
import { type Deed, deedsOfCommand, pathsInPatch } from './shell-deed.js';

/** What the host says that its tools do, by their names: `false` for nothing but looking. */
export type ToolDeeds = Readonly<Record<string, false | ToolDeed>>;

interface ToolDeed {
  /** In the past, as `booked`. */
  readonly verb: string;
  /** The argument that says what it was done to; without it, the call in short. */
  readonly object?: string | undefined;
}

/** Arguments that only a call which changes a file has. */
const changeArguments = [
  'old_string',
  'new_string',
  'old_str',
  'new_str',
  'oldText',
  'newText',
  'edits',
  'replacement',
  'diff',
];
const writeArguments = ['content', 'contents', 'file_text', 'text'];
const patchArguments = ['patch', 'input', 'diff', 'patchText'];
/** A tool whose name has one of these words changes something. */
const changing = new Set(
  (
    'add apply approve assign book buy cancel close comment commit confirm create delete deploy disable ' +
    'edit enable exchange insert install invite merge modify move order pay post publish push refund ' +
    'register release remove rename reopen replace reply reserve resolve return save schedule send set ' +
    'submit transfer update upload write'
  ).split(' '),
);
/** … unless it also has one of these, as `get_order` or `list_updates`. */
const looking = new Set(
  'calculate check find get grep list look read search show think view wait'.split(' '),
);
/** UTF-16 units of an object that is not a path. */
const longestObject = 100;

/** What a call did, if it changed something or ran tests; empty otherwise. */
export function deedsOf(call: ToolCallPart, told: ToolDeeds = {}): readonly Deed[] {
  const { toolName, input } = call;
  if (Object.hasOwn(told, toolName)) return told[toolName] ? [toldDeed(call, told[toolName])] : [];
  // A plan has lines of its own.
  if (planOf(call) !== undefined) return [];
  const fields = fieldsOf(input);
  const command = commandOf(toolName, fields, input);
  if (command !== undefined) return deedsOfCommand(command);
  const patched = patchedBy(fields, input);
  if (patched.length > 0) return patched.map((object) => ({ verb: 'edited', object }));
  const paths = pathsOf(input, { names: [toolName] });
  if (paths.length > 0 && changesFiles(call, fields))
    return paths.map((object) => ({ verb: verbOf(toolName, fields), object }));
  if (fileToolOf(call, fileReadTools) !== undefined) return [];
  return isChanging(toolName) ? [{ verb: 'called', object: shortCall(call) }] : [];
}

/** What a call did as the host says. */
function toldDeed(call: ToolCallPart, { verb, object: name }: ToolDeed): Deed {
  const value = Object.entries(fieldsOf(call.input)).find(([key]) => key === name)?.[1] ?? '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const object = text.replace(/\s+/g, ' ').trim();
  return {
    verb,
    object: object === '' || object.length > longestObject ? shortCall(call) : object,
  };
}

function fieldsOf(input: unknown): Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
    ? (input as Record<string, unknown>)
    : {};
}

function commandOf(
  toolName: string,
  fields: Readonly<Record<string, unknown>>,
  input: unknown,
): string | undefined {
  const given =
    fields.command ?? fields.cmd ?? fields.script ?? (terminalTools.includes(toolName) ? input : undefined);
  if (Array.isArray(given)) return given.length === 0 ? undefined : String(given.at(-1));
  // An editor whose command is `view` or `create` has a path beside it.
  return typeof given === 'string' && !('path' in fields) ? given : undefined;
}

function patchedBy(fields: Readonly<Record<string, unknown>>, input: unknown): readonly string[] {
  if (isPatch(input)) return pathsInPatch(input);
  for (const name of patchArguments) {
    const text = fields[name];
    if (isPatch(text)) return pathsInPatch(text);
  }
  return [];
}

function isPatch(text: unknown): text is string {
  return typeof text === 'string' && text.includes('*** Begin Patch');
}

function changesFiles(call: ToolCallPart, fields: Readonly<Record<string, unknown>>): boolean {
  if (fileToolOf(call, fileWriteTools) !== undefined) return true;
  if (fileToolOf(call, fileReadTools) !== undefined) return false;
  return (
    changeArguments.some((name) => name in fields) ||
    (writeArguments.some((name) => name in fields) && isChanging(call.toolName)) ||
    isChanging(call.toolName)
  );
}

function verbOf(toolName: string, fields: Readonly<Record<string, unknown>>): string {
  const words = wordsOf(toolName);
  if (words.includes('delete') || words.includes('remove')) return 'deleted';
  if (words.includes('move') || words.includes('rename')) return 'moved';
  if (changeArguments.some((name) => name in fields)) return 'edited';
  return writeArguments.some((name) => name in fields) ? 'wrote' : 'edited';
}

function isChanging(toolName: string): boolean {
  const words = wordsOf(toolName);
  return words.some((word) => changing.has(word)) && !words.some((word) => looking.has(word));
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}

/** A call with its short arguments, as `cancel_order W2378156`. */
function shortCall(call: ToolCallPart): string {
  const { main = '', rest } = argumentsOf(call);
  let text = call.toolName;
  for (const argument of [main, ...rest]) {
    const said = argument.replace(/\s+/g, ' ').trim();
    if (said === '') continue;
    if (text.length + said.length > longestObject) break;
    text += ` ${said}`;
  }
  return text;
}
