import {
  isErrorResult,
  type Message,
  outputText,
  type Part,
  partsOf,
  type ToolCallPart,
  type ToolOutput,
} from '@ctx/core';
import { isExpendable, mediaMark, personsWords, withoutEncoded } from '@ctx/core/kit';
import { titleOf } from './call-title.js';
import { saysDone, withoutFrame } from './command-output.js';
import { excerptSections, isExcerpt, withoutIntro } from './excerpt-text.js';
import { sizes } from './weights.js';

/** A text under a heading. */
export interface Block {
  readonly text: string;
  /** Position of its message in the transcript. */
  readonly message: number;
  readonly voice: Voice;
}

/** Who wrote a text: the agent (in messages and calls), the user, or a tool. */
export type Voice = 'agent' | 'user' | 'tool';

/** A heading with its texts: a message, or a call with its result. */
export interface Section {
  /** Who spoke, or what was called. */
  readonly title: string;
  /** The title, with a mark if the call failed. */
  readonly heading: string;
  readonly blocks: readonly Block[];
  /** `user` and `assistant`: a message; `summary`: a message that summarises others; `call`: a call; `failure`: a call that failed. */
  readonly kind: 'user' | 'assistant' | 'summary' | 'call' | 'failure';
  /** Position of the message, or of the call's message, in the transcript. */
  readonly message: number;
  /** Whether the result holds what the user said: an answer to a question of the agent, or why a call was not wanted. */
  readonly isAnswer?: boolean | undefined;
  /** Whether a program brought it with what the user said, such as a file of rules. */
  readonly isBrought?: boolean | undefined;
  /** The call, unless the section is of an earlier excerpt. */
  readonly call?: ToolCallPart | undefined;
}

/** Judges the texts of each section once: a compression reads all of them again, and only the newest have changed. */
export function perSection<Judgement>(
  judge: (section: Section) => Judgement,
): (section: Section) => Judgement {
  const known = new WeakMap<Section['blocks'], { readonly judgement: Judgement }>();
  return (section) => {
    const { judgement } = known.get(section.blocks) ?? { judgement: judge(section) };
    known.set(section.blocks, { judgement });
    return judgement;
  };
}

/** A section whose result may come later. */
type OpenSection = { -readonly [Field in keyof Section]: Section[Field] } & { readonly call: ToolCallPart };

const failedMark = ' (failed)';
const colourMark = '\u001b';
const colours = new RegExp(`${colourMark}\\[[\\d;]*m`, 'g');

/** Divides messages into sections as they are said. A result goes into the section of its call. */
export class SectionReader {
  /** The latest call of each id that has no result yet. Ids may be reused, so a result belongs to the latest call before it. */
  readonly #open = new Map<string, OpenSection>();

  /**
   * Reads the next message.
   * @param index its position in the transcript
   * @returns the sections that it begins; of a tool's message, those of earlier calls that it answers
   */
  read(message: Message, index: number): readonly Section[] {
    switch (message.role) {
      case 'system':
        return [];
      case 'tool':
        return partsOf(message).flatMap((part) => this.#answered(part, index));
      case 'user':
        return userSections(message, index);
      case 'assistant':
        return this.#said(message, index);
      default:
        return message satisfies never;
    }
  }

  #said(message: Message, index: number): Section[] {
    const parts = partsOf(message);
    const text = textOf(parts);
    const called = parts.flatMap((part) => (part.type === 'tool-call' ? [this.#called(part, index)] : []));
    if (text === '') return called;
    return [spokenSection('assistant', { text, message: index, voice: 'agent' }), ...called];
  }

  #called(call: ToolCallPart, index: number): Section {
    const { title, rest } = titleOf(call);
    const blocks: Block[] = rest.map((text) => ({ text, message: index, voice: 'agent' }));
    const section: OpenSection = { title, heading: title, blocks, kind: 'call', message: index, call };
    this.#open.set(call.toolCallId, section);
    return section;
  }

  #answered(part: Part, index: number): Section[] {
    if (part.type !== 'tool-result') return [];
    const section = this.#open.get(part.toolCallId);
    if (section === undefined) return [];
    this.#open.delete(part.toolCallId);
    const said = withoutFrame(withoutColours(withoutEncoded(withoutReminders(textOfOutput(part.output)))));
    if (isErrorResult(part) || refused.test(said.slice(0, 400))) {
      section.kind = 'failure';
      section.heading = `${section.title}${failedMark}`;
    }
    section.isAnswer = isUsersAnswer(section.call, said);
    const text = section.kind === 'call' && saysDone(section.call, said) ? '' : said;
    if (text !== '') section.blocks = [...section.blocks, { text, message: index, voice: 'tool' }];
    return [section];
  }
}

/** Divides messages into sections, in order. */
export function sectionsOf(
  messages: readonly { readonly message: Message; readonly index: number }[],
): Section[] {
  const reader = new SectionReader();
  return messages.flatMap(({ message, index }) => {
    const sections = reader.read(message, index);
    return message.role === 'tool' ? [] : sections;
  });
}

/**
 * The sections of a user message. A host may have joined an excerpt with the user's next message. An excerpt is divided into its sections
 * only if the message is still marked as a summary: the headings of a pasted excerpt could attribute any text to the user.
 */
function userSections(message: Message, index: number): Section[] {
  const excerpts: Section[] = [];
  const parts = partsOf(message).filter((part) => {
    if (part.type !== 'text' || !isExcerpt(part.text)) return true;
    if (message.summary === true) excerpts.push(...excerptedSections(part.text, index));
    else excerpts.push(summarySection(withoutIntro(part.text), index));
    return false;
  });
  if (message.summary === true) {
    const text = textOf(parts);
    return text === '' ? excerpts : [...excerpts, summarySection(text, index)];
  }
  // A program's lists leave, what it printed is a result, and the rules that it brings are a text of their own.
  const printed = parts.flatMap((part) => (part.type === 'text' ? printedSections(part.text, index) : []));
  const told = parts.filter((part) => !(part.type === 'text' && isExpendable(part.text)));
  const isByProgram = (part: Part) =>
    part.type === 'text' && (rulesFile.test(part.text) || personsWords(part.text) === '');
  const texts = [
    ...told.filter(isByProgram).map((part) => ({ text: textOf([part]), isBrought: true })),
    { text: textOf(told.filter((part) => !isByProgram(part))), isBrought: false },
  ];
  return [
    ...excerpts,
    ...printed,
    ...texts
      .filter(({ text }) => text !== '')
      .map(({ text, isBrought }) => ({
        ...spokenSection('user', { text, message: index, voice: 'user' }),
        ...(isBrought && { isBrought }),
      })),
  ];
}

/** How an agent's program begins a file of rules that it sends without an element around it. */
const rulesFile = /^# \S{1,200}\.md instructions\b/i;

/** What a command or a hook printed that the user's program ran. */
function printedSections(text: string, index: number): Section[] {
  const said = text.trim();
  const title = /^<([\w-]{1,60})>/.exec(said)?.[1] ?? '';
  if (!/stdout|output|hook/i.test(title) || !said.endsWith(`</${title}>`) || !isExpendable(said)) return [];
  const printed = withoutColours(said.slice(title.length + 2, -title.length - 3)).trim();
  const block: Block = { text: printed, message: index, voice: 'tool' };
  return printed === '' ? [] : [{ title, heading: title, blocks: [block], kind: 'call', message: index }];
}

/** A text without the signs that colour it in a terminal. */
function withoutColours(text: string): string {
  return text.replace(colours, '');
}

function summarySection(text: string, index: number): Section {
  return spokenSection('summary', { text, message: index, voice: 'user' });
}

function spokenSection(kind: 'user' | 'assistant' | 'summary', block: Block): Section {
  return { title: kind, heading: kind, blocks: [block], kind, message: block.message };
}

/** The sections of an excerpt whose original messages are gone, read from its text. */
function excerptedSections(excerpt: string, index: number): Section[] {
  return excerptSections(excerpt).map(({ heading, text }) => {
    const block: Block = { text, message: index, voice: voices[heading] ?? 'tool' };
    if (heading === 'user' || heading === 'assistant' || heading === 'summary')
      return spokenSection(heading, block);
    const failed = heading.endsWith(failedMark);
    const title = failed ? heading.slice(0, -failedMark.length) : heading;
    return { title, heading, blocks: [block], kind: failed ? 'failure' : 'call', message: index };
  });
}

/** Tools with which agents ask the user, and what they say of a call that the user did not want. */
const asking = /ask.{0,12}(?:user|question)|user.{0,3}(?:input|choice|answer)|followup_question/i;
const unwanted =
  /\b(?:the )?user (?:said|has answered|answered|rejected|declined|doesn['’]t want|did not want|provided)\b/i;
/** What programs say of a call that was not done. */
const refused =
  /\b(?:tool use was rejected|user (?:rejected|declined)|apply_patch verification failed)\b|<tool_use_error>/i;
function isUsersAnswer({ toolName }: ToolCallPart, text: string): boolean {
  return text.length <= sizes.page && (asking.test(toolName) || unwanted.test(text.slice(0, 400)));
}

const voices: Readonly<Record<string, Voice>> = { user: 'user', summary: 'user', assistant: 'agent' };

function textOfOutput(output: ToolOutput): string {
  return typeof output !== 'string' && output.type === 'content' ? textOf(output.value) : outputText(output);
}

const noteStart = '<system-reminder>';
const noteEnd = '</system-reminder>';

/** A result without the notes that the agent's program added on lines of their own: they are not what was asked for. */
function withoutReminders(text: string): string {
  let [kept, from, start] = ['', 0, text.indexOf(noteStart)];
  while (start >= 0) {
    const close = text.indexOf(noteEnd, start);
    if (close < 0) break;
    const end = close + noteEnd.length;
    const isAlone = /^\n?$/.test(text.slice(start - 1, start)) && /^\n?$/.test(text.slice(end, end + 1));
    if (isAlone) {
      kept += text.slice(from, start);
      from = end;
    }
    start = text.indexOf(noteStart, isAlone ? end : start + 1);
  }
  return kept + text.slice(from);
}

/** The texts of parts. An image becomes `[image screenshot.png]`, a file `[file spec.pdf]`. */
function textOf(parts: readonly Part[]): string {
  return parts
    .flatMap((part) => {
      if (part.type === 'text') return [withoutEncoded(part.text)];
      return part.type === 'image' || part.type === 'file' ? [mediaMark(part)] : [];
    })
    .join('\n');
}
