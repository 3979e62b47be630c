import { finish, type Message, type ToolCallPart, toolCallsOf } from '@ctx/core';
import * as engine from '@ctx/excerpt';
import { assistant, call, result, transcript } from '@ctx/testing';

const tokensOf = (text: string) => Math.ceil(text.length / 4);

/** The functions of `@ctx/excerpt` that take texts. */
export function excerptFunctions(
  calling: (text: string) => Message[],
): Readonly<Record<string, (text: string) => unknown>> {
  const callOf = (text: string) => toolCallsOf(calling(text)[1] as Message)[0] as ToolCallPart;
  const excerpt = (text: string) => `${engine.intro}\n## ${text}\n${text}\n## a (1 of 2 lines) #m1\n${text}`;
  const part = { lines: { shown: 1, of: 2 }, message: 1 };
  return {
    'excerpt argumentsOf': (text) => engine.argumentsOf(callOf(text)),
    'excerpt ConversationIndex': (text) => {
      const index = new engine.ConversationIndex();
      finish(index.read(calling(text)));
      return index.sections;
    },
    'excerpt excerptOf': (text) => {
      const index = new engine.ConversationIndex();
      const messages = Array.from({ length: 10 }, () => calling(text.slice(0, text.length / 10))).flat();
      finish(index.read(messages));
      const size = index.terms.size;
      return finish(
        engine.excerptOf(
          index.sections.map((section) => ({ ...section, weight: 1 })),
          {
            index,
            weights: finish(index.use.weights(index.terms, size)),
            held: new Uint8Array(size),
            excerptTokens: 2_000,
            usersTokens: 1_000,
            olderLength: 100_000 * 4,
            tokensPerCharacter: 0.25,
            tokensOf,
          },
        ),
      );
    },
    'excerpt excerptSections': (text) => engine.excerptSections(excerpt(text)),
    'excerpt isExcerpt': (text) => engine.isExcerpt(excerpt(text)),
    'excerpt rootFolderOf': (text) => engine.rootFolderOf([text, `/${text}`, `/a/b/c/${text}`]),
    'excerpt sectionText': (text) => engine.sectionText({ heading: text, text, part }),
    'excerpt sectionsOf': (text) =>
      engine.sectionsOf(calling(text).map((message, index) => ({ message, index }))),
    'excerpt headTokens': (text) =>
      engine.headTokens({ intro: text, trail: { heading: text, text } }, tokensOf),
    'excerpt trailOf': (text) => {
      const said = [
        ...calling(text),
        ...transcript(call('sh', 'bash', { command: text }), result('sh', text)),
        ...transcript(
          call('patch', 'apply_patch', { input: `*** Begin Patch\n${text}` }),
          result('patch', text),
        ),
        ...transcript(call('plan', 'update_plan', { plan: text }), result('plan', text)),
        assistant(text),
      ];
      const sections = engine.sectionsOf(said.map((message, index) => ({ message, index })));
      return engine.trailOf(sections, { all: sections, fits: () => true });
    },
  };
}
