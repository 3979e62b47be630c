import { writeFileSync } from 'node:fs';
import * as main from '@ctx/core';
import * as forCodecs from '@ctx/core/codec';
import * as kit from '@ctx/core/kit';
import * as reading from '@ctx/file-reading';
import * as presets from '@ctx/presets';
import * as folding from '@ctx/strategy-file-folding';
import { adapterFunctions } from './text-adapters.js';
import { archiveFunctions } from './text-archives.js';
import { codecFunctions } from './text-codecs.js';
import { excerptFunctions } from './text-excerpts.js';
import { rejected } from './text-rejected.js';
import { sessionFunctions } from './text-sessions.js';

const core = { ...main, ...kit, ...forCodecs };

const tokensOf = (text: string) => Math.ceil(text.length / 4);
const calling = (text: string): main.Message[] => [
  { role: 'user', content: text },
  {
    role: 'assistant',
    content: [
      { type: 'text', text },
      { type: 'reasoning', text },
      {
        type: 'tool-call',
        toolCallId: text,
        toolName: text,
        input: { path: text, command: text, [text]: 1 },
      },
    ],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: text, toolName: text, output: { type: 'text', value: text } },
    ],
  },
];
const viewed = (text: string) =>
  calling(text).map((message, index) => ({
    id: `m${index}`,
    index,
    message,
    tokens: 1,
    priority: 'NORMAL' as const,
    pinned: false,
    verbatim: false,
    exchange: index,
  }));
const call = (text: string) => core.toolCallsOf(calling(text)[1] as main.Message)[0] as main.ToolCallPart;
const thrown = (run: () => unknown) => {
  try {
    return run();
  } catch (error) {
    return core.CtxError.isInstance(error) ? error.message : Promise.reject(error);
  }
};
const folded = (path: string) => (text: string) =>
  rejected(() => folding.createFolder().fold({ text, paths: [path], signal: new AbortController().signal }));
/** Paths whose languages have a grammar, or a reader of their own. */
const languages: readonly string[] = [
  ...['a.ts', 'a.tsx', 'a.js', 'a.py', 'a.go', 'a.rs', 'a.java', 'a.c', 'a.cpp', 'a.cs', 'a.rb', 'a.php'],
  ...['a.md', 'a.txt', 'a.sql', 'a.css', 'a.sh'],
];

/**
 * Public functions that take a text of any length, by `package name`, with a text in the place of each of its texts.
 * @param folder where files may be written
 */
export function textFunctions(folder: string): Readonly<Record<string, (text: string) => unknown>> {
  const file = (text: string) => {
    writeFileSync(`${folder}/file.txt`, text);
    return `${folder}/file.txt`;
  };
  return {
    ...codecFunctions(calling),
    ...adapterFunctions(calling),
    ...excerptFunctions(calling),
    ...archiveFunctions(calling, folder),
    'core CtxError': (text) =>
      new core.CtxError({ code: 'id-unknown', problem: text, place: text, value: text, remedy: text })
        .message,
    'core Transcript': (text) => {
      const transcript = new core.Transcript();
      return calling(text).map((message) => transcript.append(message));
    },
    'core ContextManager': (text) => {
      const manager = new core.ContextManager({ model: text, provider: text });
      for (const message of calling(text.slice(0, 200_000))) manager.append(message);
      return manager.snapshot();
    },
    'core pluralise': (text) => core.pluralise(2, text),
    'core bpeCounter': async (text) => {
      const counter = core.bpeCounter('o200k_base');
      await counter.load?.();
      return counter.count(text);
    },
    'core createdAt': (text) => core.createdAt(text),
    'core cutJson': (text) =>
      core.cutJson({ [text]: text, list: [text, { text }] }, { maxTokens: 200, tokensOf }),
    'core cutText': (text) => core.cutText(text, { maxTokens: 200, tokensOf }),
    'core equal': (text) => core.equal({ text }, { text: `${text} ` }),
    'core estimateTokens': (text) => core.estimateTokens(text),
    'core fileSections': (text) =>
      [
        [text.slice(0, 200), 'b'],
        ['a', '/'],
      ].map((of) => core.fileSections(text, of)),
    'core fileToolOf': (text) => core.fileToolOf(call(text), []),
    'core filesOf': (text) => core.filesOf(call(text), core.fileReadTools),
    'core pathsOf': (text) => core.pathsOf(call(text), { name: text, paths: ['path', text] } as never),
    'core isErrorResult': (text) =>
      core.isErrorResult({ type: 'tool-result', toolCallId: 'a', toolName: 'b', output: text }),
    'core eachChild': (text) => {
      const json = JSON.stringify({ [text]: text });
      return core.eachChild(json, core.skipSpace(json, 0), (_, at) => core.skipValue(json, at));
    },
    'core isExpendable': (text) => core.isExpendable(text),
    'core personsWords': (text) => [core.personsWords(text), core.personsWords(`<${text}>${text}</${text}>`)],
    'core isOverflowError': (text) => core.isOverflowError(new Error(text)),
    'core overflowFigures': (text) => core.overflowFigures(new Error(text)),
    'core parseJson': (text) => core.parseJson(JSON.stringify({ [text]: [text, 1.5] })),
    'core stringifyJson': (text) => core.stringifyJson({ [text]: text }),
    'core reportsFailure': (text) => core.reportsFailure(text),
    'core withoutEncoded': (text) => core.withoutEncoded(text),
    'core jsonOf': (text) => core.jsonOf({ text }, text),
    'core jsonText': (text) => core.jsonText({ [text]: text }),
    'core matches': (text) => [
      core.matches({ model: `*${text}b*`, provider: text }, { model: text + text, provider: text }),
      core.matches({ model: text.split('').join('*').slice(0, text.length) }, { model: text }),
    ],
    'core messageText': (text) => calling(text).map((message) => core.messageText(message)),
    'core nearest': (text) => core.nearest(text, [text.slice(1), 'b']),
    'core parseConfig': (text) =>
      thrown(() =>
        core.parseConfig({ [text]: text, pipeline: [text], rules: [{ model: text }], marker: text }),
      ),
    'core parseMessage': (text) => calling(text).map((message) => core.parseMessage(message, 0)),
    'core pathNormalizer': (text) => core.pathNormalizer(`/root/${text}`)(text),
    'core resolveStrategy': (text) => thrown(() => core.resolveStrategy(core.createContainer(), text)),
    'core scoreMessage': (text) =>
      core.scoreMessage({ role: 'user', content: text }, { index: 5, count: 20, tokens: 5 }),
    'core scoreMessages': (text) =>
      core.scoreMessages(
        calling(text).map((message) => ({ message, tokens: 1 })),
        { keywords: { command: [text.slice(0, 1000)] } },
      ),
    'core sourcesOf': (text) => calling(text).map((message) => core.partsOf(message)),
    'core toolUsesOf': (text) => core.toolUsesOf(viewed(text)),
    'core withoutHandle': (text) => [core.withoutHandle(text), core.withoutHandle(`${text} #m${text}`)],
    'file-reading chunkAdvice': (text) =>
      reading.chunkAdvice({ path: text, estimatedTokens: 9, lines: 9 } as never, 5),
    'file-reading readFiles': (text) =>
      rejected(() => reading.readFiles([file(text), text.slice(0, 4000).replaceAll('\0', '')])),
    'presets presetFor': (text) => presets.presetFor({ provider: text, model: text }),
    'presets explainChoice': (text) => thrown(() => presets.explainChoice({ provider: text, model: text })),
    'presets truncateConversation': (text) => presets.truncateConversation(calling(text), 0.5),
    ...sessionFunctions(folder, calling),
    'strategy-file-folding createFolder': (text) =>
      rejected(() =>
        folding
          .createFolder()
          .fold({ text, paths: ['a.ts', text.slice(0, 300)], signal: new AbortController().signal } as never),
      ),
    ...Object.fromEntries(
      languages.map((path) => [`strategy-file-folding createFolder ${path}`, folded(path)]),
    ),
  };
}
