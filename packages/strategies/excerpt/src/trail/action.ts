import type { ToolCallPart } from '@ctx/core';
import { isFields, numberText, stringifyJson } from '@ctx/core/codec';
import { fileReadTools, fileToolOf, fileWriteTools, pathsOf, terminalTools } from '@ctx/core/kit';
import { argumentsOf } from '../call-title.js';
import { sizes } from '../weights.js';
import { type Action, actionsOfCommand, actionsOfPatch, patchMark } from './command.js';
import { listOf } from './plan-items.js';
import { shortened } from './shortened.js';

/** What the host says that its tools do, by their names, as `{ verb: 'booked', object: 'flight_id' }`: `object` is an argument. */
export type ToolActions = Readonly<Record<string, false | { verb: string; object?: string | undefined }>>;

/** Arguments that only a call which changes a file has, and that one which writes it has. */
const edits = /^(?:old_|new_)(?:str|string|text)$|^(?:old|new)(?:Text|String)$|^edits$/;
const writes = /^(?:content|contents|file_text|text)$/;
/** A tool whose name has one of the first words changes something, unless it also has one of the second, as `list_orders`. */
const changing =
  /^(?:add|apply|approve|assign|book|buy|cancel|close|comment|commit|confirm|create|delete|deploy|disable|edit|enable|exchange|insert|install|invite|merge|modify|move|order|pay|post|publish|push|refund|register|release|remove|rename|reopen|replace|reply|reserve|resolve|return|save|schedule|send|set|submit|transfer|update|upload|write)$/;
const looking =
  /^(?:calculate|check|find|get|grep|input|list|look|plan|read|search|show|stdin|task|think|todos?|view|wait)$/;
const asking = /^(?:ask(?:_|user|$)|exit_?plan)|question/i;

/** What a call did; empty if it only looked. */
export function actionsOf(call: ToolCallPart, told: ToolActions = {}): readonly Action[] {
  const { toolName, input } = call;
  const { main = '', rest } = argumentsOf(call);
  const short = shortened([toolName, main, ...rest].join(' '), sizes.title);
  const fields = isFields(input) ? input : {};
  const own = Object.hasOwn(told, toolName) ? told[toolName] : undefined;
  if (own === false) return [];
  if (own !== undefined) return [{ verb: own.verb, object: argumentIn(fields, own.object) || short }];
  // A plan has lines of its own.
  if (listOf(input) !== undefined) return [];
  if (asking.test(toolName)) return [{ verb: 'asked', object: short }];
  const command = commandOf(toolName, fields, input);
  if (command !== undefined) return actionsOfCommand(command);
  const patch = [input, ...Object.values(fields)].find((text) => isText(text) && text.includes(patchMark));
  if (isText(patch)) return actionsOfPatch(patch);
  const isWrite = fileToolOf(call, fileWriteTools) !== undefined;
  if (!isWrite && fileToolOf(call, fileReadTools) !== undefined) return [];
  const name = toolName.replace(/(?<=[a-z\d])[A-Z]/g, ' $&').toLowerCase();
  const has = (pattern: RegExp) => name.split(/[^a-z]+/).some((word) => pattern.test(word));
  const isChange = has(changing) && !has(looking);
  const isEdit = Object.keys(fields).some((field) => edits.test(field));
  const paths = isWrite || isEdit || isChange ? pathsOf(input, { names: [toolName] }) : [];
  if (paths.length === 0) return isChange ? [{ verb: 'called', object: short }] : [];
  const given = !isEdit && Object.keys(fields).some((field) => writes.test(field)) ? 'wrote' : 'edited';
  const verb = has(/^(?:delete|remove)$/) ? 'deleted' : has(/^(?:move|rename)$/) ? 'moved' : given;
  return paths.map((object) => ({ verb, object }));
}

function argumentIn(fields: Readonly<Record<string, unknown>>, name = ''): string {
  const value = Object.hasOwn(fields, name) ? (fields[name] ?? '') : '';
  const text = typeof value === 'object' ? stringifyJson(value) : (numberText(fields, name) ?? String(value));
  return text.length > sizes.title ? '' : shortened(text, sizes.title);
}

function commandOf(toolName: string, fields: Readonly<Record<string, unknown>>, input: unknown) {
  const { command, cmd = command, commands = cmd, script = commands } = fields;
  if (Array.isArray(script))
    return script
      .filter(isText)
      .slice(script === commands && cmd === undefined ? 0 : -1)
      .join('\n');
  // An editor whose command is `view` or `create` has a path as well.
  if (isText(script)) return 'path' in fields ? undefined : script;
  return isText(input) && terminalTools.includes(toolName) ? input : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
