import { type Message, partsOf } from './message.js';

type IsAgentText = (text: string) => boolean;

/** Texts in the name of the user that set no task; see `registerAgentTexts` and `registerNods`. */
export interface TextsWithoutTask {
  /** True if an agent has written it. */
  readonly isAgentText: IsAgentText;
  /** True for a word that says no more than that the work should go on. */
  readonly isNod: (word: string) => boolean;
}

/** Where nothing is registered. */
export const noTexts: TextsWithoutTask = { isAgentText: () => false, isNod: () => false };

/** Elements without a hyphen or underscore in their name that programs write; people write XML and HTML too. */
const programElements = new Set(
  'context environment heartbeat hook metadata notification reminder skill system tick'.split(' '),
);
/** Elements in which programs put what a person has written. */
const personElements = /^(?:user|human)[-_](?:query|message|prompt|request|input|question)$|[-_]?feedback$/i;
/** The beginning of an element. */
const opening = /^<([a-z][\w.-]{0,60})(?:\s[^<>]{0,300})?>/i;
/** A notice, such as `[Request interrupted by user]`. UTF-16 units of a line. */
const notice = /^\[[^[\]\n]{1,200}\]$/;
/** What an element says that holds the rules of a project, in lower case: an agent needs them as much as the task. */
const rules =
  'contents of /|context from: |global instructions|.md instructions|project instructions|instructions>|<rules|rules>|memory>'.split(
    '|',
  );

/**
 * What a person has written in a message of the user's, with what programs write in the user's name left out: elements such as
 * `<system-reminder>…</system-reminder>`, notices in brackets, and the texts of agents.
 */
export function personsWords(message: Message | string, isAgentText: IsAgentText = () => false): string {
  if (typeof message === 'string') return wordsIn(message, isAgentText);
  return partsOf(message)
    .map((part) => (part.type === 'text' ? wordsIn(part.text, isAgentText) : ''))
    .filter((words) => words !== '')
    .join('\n');
}

/** True if nobody has written anything in it. A picture is a person's. */
export function isWrittenByProgram(message: Message, words: string): boolean {
  return words === '' && partsOf(message).every(({ type }) => type === 'text' || type === 'opaque');
}

/**
 * True for a text that a program wrote and that holds no rules, such as a list of what an agent can do. It may be cut before what a person or
 * a tool has said.
 */
export function isExpendable(text: string): boolean {
  if (!opening.test(text.trimStart()) || wordsIn(text, noTexts.isAgentText) !== '') return false;
  return !namesRules(text);
}

/** True for a user's message in which a program brings the rules of a project, such as AGENTS.md. */
export function bringsRules(message: Message, isAgentText: IsAgentText): boolean {
  return (
    message.role === 'user' &&
    message.summary !== true &&
    partsOf(message).some((part) => part.type === 'text' && holdsRules(part.text, isAgentText))
  );
}

function holdsRules(text: string, isAgentText: IsAgentText): boolean {
  const said = text.trimStart();
  return (opening.test(said) || isAgentText(said)) && namesRules(said);
}

const namesRules = (text: string) => rules.some((rule) => text.toLowerCase().includes(rule));

function wordsIn(text: string, isAgentText: IsAgentText): string {
  let rest = text.trim();
  let before = '';
  while (rest !== before) {
    before = rest;
    rest = withoutElement(rest);
    const end = rest.indexOf('\n');
    const line = end < 0 ? rest : rest.slice(0, end);
    if (notice.test(line.trim())) rest = end < 0 || rest.slice(end).trim() === '' ? '' : rest;
    if (rest !== '' && isAgentText(rest)) rest = '';
  }
  return withoutLast(rest);
}

/** Without the element that it begins with, if a program wrote that. */
function withoutElement(text: string): string {
  const found = opening.exec(text);
  if (found === null) return text;
  const [start, name = ''] = found;
  const isPersons = personElements.test(name);
  if (!isPersons && !/[-_]/.test(name) && !programElements.has(name.toLowerCase())) return text;
  const end = text.indexOf(`</${name}>`, start.length);
  if (end < 0) return text;
  const after = text.slice(end + name.length + 3).trim();
  return isPersons ? [text.slice(start.length, end).trim(), after].filter(Boolean).join('\n') : after;
}

/** Without the elements at the end that programs wrote. */
function withoutLast(text: string): string {
  let rest = text;
  for (;;) {
    const name = /<\/([a-z][\w.-]{0,60})>$/i.exec(rest)?.[1];
    const start = name === undefined ? -1 : rest.lastIndexOf(`<${name}`);
    if (start <= 0 || withoutElement(rest.slice(start)) !== '') return rest;
    rest = rest.slice(0, start).trimEnd();
  }
}
