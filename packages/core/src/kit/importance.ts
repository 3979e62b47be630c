import { type Message, partsOf } from '../transcript/message.js';

/** How important a message is for the next steps, with reasons. */
export interface ImportanceScore {
  /** 0–100. From 90 on the message must be kept, from 70 on it should be, below 40 it may go. */
  readonly score: number;
  readonly reasons: readonly string[];
  readonly isUserMessage: boolean;
  readonly tokenCount: number;
}

/** Replaces the built-in words; with `add`, extends them. */
type KeywordList = readonly string[] | { readonly add: readonly string[] };

interface ImportanceKeywords {
  readonly command?: KeywordList | undefined;
  readonly technical?: KeywordList | undefined;
  readonly error?: KeywordList | undefined;
  /** Acknowledgments: a message that says nothing else is worth little. */
  readonly lowValue?: KeywordList | undefined;
}

export interface ImportanceOptions {
  /**
   * Follows the original design literally: words within words count, and any text that starts like an acknowledgment is
   * one.
   * @default false
   */
  readonly compat?: boolean | undefined;
  readonly keywords?: ImportanceKeywords | undefined;
}

const importanceKeywords: Required<{ [Group in keyof ImportanceKeywords]: readonly string[] }> = {
  command: [
    ...['必须', '一定要', '务必', 'require', 'must', 'need to', 'important', 'critical', 'essential'],
    ...['改为', '改成', '修改', 'change to', 'update to', 'switch to'],
    ...['所有', '全部', '都要', 'all', 'every', 'always'],
    ...['使用', '采用', '选择', 'use', 'with', 'using'],
  ],
  technical: [
    ...['postgresql', 'redis', 'mongodb', 'mysql', 'react', 'vue', 'angular', 'typescript', 'python', 'java'],
    ...['architecture', 'design pattern', 'microservice', 'api', 'rest', 'graphql'],
    ...['port', '端口', 'database', '数据库', 'authentication', '认证', 'authorization', '授权'],
  ],
  error: [...['error', '错误', 'bug', '问题', '失败', 'failed', '不工作', 'not working', "doesn't work"]],
  lowValue: [
    ...['ok', 'okay', 'sure', 'yes', 'understood', 'continue', 'proceeding', 'go on', 'thanks', 'thank you'],
    ...['got it', 'i see', 'alright', 'all right', 'sounds good', 'will do', 'noted'],
    ...['好的', '好', '继续', '明白了', '明白', '我明白了', '了解', '知道了', '收到', '没问题', '谢谢'],
  ],
};

/** Finds the keywords of a group that a text contains, in the order of the group. */
type Finder = (text: string) => readonly string[];

const known = new WeakMap<ImportanceOptions, ReturnType<typeof compile>>();
const literal: ImportanceOptions = { compat: true };
const usual: ImportanceOptions = {};
/** The task at hand is in this many of the newest messages. */
const recent = 3;

function compile({ compat = false, keywords = {} }: ImportanceOptions) {
  const listOf = (group: keyof ImportanceKeywords) => {
    const [builtIn, given] = [importanceKeywords[group], keywords[group]];
    if (given === undefined) return builtIn;
    return 'add' in given ? [...builtIn, ...given.add] : given;
  };
  const finder = compat ? within : words;
  const starts = /^(好的|ok|sure|yes|understood|继续|continue|proceeding)/i;
  const nothings = [...listOf('lowValue'), 'please', 'then'];
  return {
    command: finder(listOf('command')),
    technical: finder(listOf('technical')),
    error: finder(listOf('error')),
    isLowValue: (text: string) => (compat ? starts.test(text) : text.length < 80 && onlySays(text, nothings)),
  };
}

function within(keywords: readonly string[]): Finder {
  return (text) => keywords.filter((keyword) => text.includes(keyword));
}

/** Latin words count only as whole words; words of scripts without spaces count anywhere. Any white space may separate the words of a keyword. */
function words(keywords: readonly string[]): Finder {
  const wordings = new Map(keywords.map((keyword) => [keyword, plainOf(keyword)]));
  const given = [...wordings.values()].filter((wording) => wording !== '');
  if (given.length === 0) return () => [];
  const [latin, others] = [given.filter(isLatin), given.filter((wording) => !isLatin(wording))];
  const patterns = [
    ...(latin.length > 0
      ? [`(?<![\\p{L}\\p{N}_])(?:${latin.map(escaped).join('|')})(?![\\p{L}\\p{N}_])`]
      : []),
    ...others.map(escaped),
  ];
  const pattern = new RegExp(patterns.join('|'), 'giu');
  return (text) => {
    const found = new Set<string>();
    for (const [match] of text.matchAll(pattern)) found.add(plainOf(match));
    return keywords.filter((keyword) => found.has(wordings.get(keyword) ?? keyword));
  };
}

const plainOf = (words: string) => words.toLowerCase().replace(/\s+/g, ' ').trim();

function isLatin(keyword: string): boolean {
  return /^[\p{Script=Latin}\p{N}\s'_-]+$/u.test(keyword);
}

function escaped(keyword: string): string {
  return keyword.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll(' ', '\\s+');
}

/**
 * Scores a message by its author, position and content. It starts at 50. User messages, commands, technical decisions,
 * errors and code raise the score; acknowledgments and very long texts lower it. Only texts count, not tool calls and
 * results.
 * @param place its position among `count` messages, and its tokens
 */
export function scoreMessage(
  message: Message,
  { index, count, tokens }: { readonly index: number; readonly count: number; readonly tokens: number },
  options: ImportanceOptions = usual,
): ImportanceScore {
  const words = options.compat === true && options.keywords === undefined ? literal : options;
  const finders = known.get(words) ?? compile(words);
  known.set(words, finders);
  const text = partsOf(message)
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join(' ');
  const lower = text.toLowerCase();
  const isUser = message.role === 'user';
  const isRecent = index >= count - recent;
  // "Go on" is not worth remembering, but while it is recent it is what the user wants now.
  const isLow = finders.isLowValue(text.trim()) && (options.compat === true || !(isUser && isRecent));
  const reasons: string[] = [];
  let score = 50;
  const add = (points: number, reason: string) => {
    score += points;
    reasons.push(reason);
  };

  if (isUser) add(20, 'User message (+20)');
  if (index === 0) add(30, 'First message (+30)');
  else if (isRecent) add(25, 'Recent message (+25)');
  else if (index < 5) add(10, 'Early message (+10)');

  const [command] = finders.command(lower);
  if (command !== undefined) add(15, `Command keyword '${command}' (+15)`);
  const technical = finders.technical(lower).length;
  const points = Math.min(technical * 5, 20);
  if (technical > 0) add(points, `Technical decisions (${technical} keywords, +${points})`);
  if (finders.error(lower).length > 0) add(10, 'Error/problem mention (+10)');
  if (text.includes('```')) add(10, 'Contains code block (+10)');

  const isWorthwhile = options.compat === true || !isLow;
  if (isUser && tokens < 20 && isWorthwhile) add(15, 'Short user command (+15)');
  if (isUser && tokens >= 20 && tokens < 100) add(10, 'Medium user message (+10)');
  if (tokens > 5000) add(-10, 'Very long message (-10)');
  if (message.summary === true) add(25, 'Summary message (+25)');
  if (isLow) add(-10, 'Low-value acknowledgment (-10)');
  return {
    score: Math.max(0, Math.min(100, score)),
    reasons,
    isUserMessage: isUser,
    tokenCount: tokens,
  };
}

/** The scores of a whole history, in order. */
export function scoreMessages(
  messages: readonly { readonly message: Message; readonly tokens: number }[],
  options: ImportanceOptions = usual,
): ImportanceScore[] {
  return messages.map(({ message, tokens }, index) =>
    scoreMessage(message, { index, count: messages.length, tokens }, options),
  );
}

/** White space and punctuation may stand between phrases. */
const separators = /[\s\p{P}]+/gu;

/**
 * True if a text consists only of these phrases, in any order, with any white space and punctuation between them.
 * Ignores case. Time grows with the product of text and phrases, whatever the phrases: if phrases begin alike, a
 * regular expression would try every way to split the text.
 */
export function onlySays(text: string, phrases: readonly string[]): boolean {
  const plain = wordsOf(text);
  const known = phrases.map(wordsOf).filter((phrase) => phrase !== '');
  const reached = new Set(plain === '' ? [] : [0]);
  for (let at = 0; at < plain.length; at += 1) {
    if (!reached.has(at)) continue;
    if (plain[at] === ' ') reached.add(at + 1);
    for (const phrase of known) if (plain.startsWith(phrase, at)) reached.add(at + phrase.length);
  }
  return reached.has(plain.length);
}

const wordsOf = (text: string) => text.toLowerCase().replace(separators, ' ').trim();
