import { sizes } from '../weights.js';
import { shortened } from './shortened.js';

/** What a call did: it changed something outside the conversation, ran a check, or asked the user. */
export interface Action {
  /** `edited`, `wrote`, `deleted`, `moved`, `committed`, `ran`, `asked`, `called`, a kind of check, or what the host says of a tool. */
  readonly verb: string;
  /** The path, the command, the message of the commit, or the call in short. */
  readonly object: string;
}

/** Commands that change something. Staging and new folders are left out: commits and files say it. */
const changes = new RegExp(
  `^(?:${[
    '(?:mv|rm|cp|rmdir|touch|chmod|chown|ln|dd|truncate|patch|kill|pkill|crontab)',
    'git (?:commit|push|merge|rebase|checkout|switch|restore|reset|revert|stash|tag|mv|rm|cherry-pick|clone|init|pull|apply|worktree (?:add|remove))',
    '(?:npm|pnpm|yarn|bun|pip3?|uv|poetry|cargo|go|gem|apt|apt-get|brew|mix) (?:i|install|ci|add|remove|uninstall|publish|sync|get|update|version)',
    '(?:docker|kubectl|terraform|systemctl) (?:run|build|rm|start|stop|restart|push|pull|apply|delete|create|scale|patch|set|destroy|enable|disable)',
    'gh (?:pr|issue|release|repo) (?:create|edit|merge|close|reopen|comment|review|delete|ready)',
    'curl .*(?:-X ?|--request )(?:POST|PUT|PATCH|DELETE)',
  ].join('|')})(?:\\s|$)`,
);
/** … but for what only looks. */
const looks = /^git (?:stash (?:list|show)|tag$|tag -l)/;
/** Words before the command itself. */
const leading =
  /^(?:[({!&\s]|(?:sudo|time|env|exec|nohup|xargs|rtk|do|then|npx|bunx|uvx|(?:poetry|uv|pnpm|bundle|npm) exec|(?:poetry|uv) run|timeout \S+|\w+=[^\s"']*) )+/;
/** The kinds of checks, by the tools that do them and what scripts and subcommands for them are called; of each, a trail names the newest run. */
const checks: ReadonlyMap<string, RegExp> = new Map([
  [
    'tests',
    /^(?:jest|vitest|pytest|py\.test|mocha|rspec|phpunit|tox|ctest|ava|unittest|(?:--)?(?:tests?|spec)(?:[:._-].*)?)$/,
  ],
  [
    'lint',
    /^(?:eslint|biome|ruff|flake8|pylint|golangci-lint|rubocop|ultracite|clippy|credo|vet|lint(?:\W.*)?)$/,
  ],
  ['types', /^(?:tsc|tsgo|mypy|pyright|dialyzer|types|(?:type-?check|check-?types)(?:\W.*)?)$/],
  ['build', /^(?:webpack|cmake|compile|build(?:\W.*)?|.*:build)$/],
  ['check', /^check(?:\W.*)?$/],
]);
export const checkKinds: ReadonlySet<string> = new Set(checks.keys());
const runners =
  /^(?:npm|pnpm|yarn|bun|deno|make|just|mise|nx|turbo|cargo|go|dotnet|mix|swift|mvnw?|gradlew?|rake|bundle|node|vite|next|python[\d.]*)$/;

/** What a shell command did. Its parts are judged one by one; quoted texts and here-documents hold no commands. */
export function actionsOfCommand(command: string): readonly Action[] {
  const text = command.slice(0, sizes.document);
  if (text.includes(patchMark)) return actionsOfPatch(text);
  const read = text
    // Of a here-document that is an argument, such as the message of a commit, the first line remains.
    .replace(
      /"\$\(cat <<-? ?["']?(\w+)["']?\n([^\n]*)[\s\S]*?(?:\n[ \t]*\1\n?[ \t]*\)"|$)/g,
      (_, _word, first: string) => `"${first.replace(/["\\]/g, '')}"`,
    )
    .replace(/<<-? ?["']?([A-Za-z_]\w*)["']?([^\n]*)[\s\S]*?(?:\n[ \t]*\1(?=\n|$)|$)/g, '$2');
  const parts = read.match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|>&|[^;|&\n"'\\]|["'\\])+/gs) ?? [];
  return parts.flatMap((part, at) => {
    const filter = /^ grep .*/.exec(parts[at + 1] ?? '')?.[0] ?? '';
    return actionOf(
      part
        .replace(leading, '')
        .trim()
        .replace(/ 2>&1$/, ''),
      filter && ` |${filter}`,
    );
  });
}

/** @param filter what shows only a part of what it prints */
function actionOf(part: string, filter: string): readonly Action[] {
  const bare = part.replace(/\\.|(> ?)?(?:"(?:[^"\\]|\\.)*"|'[^']*')/gs, (all, to) =>
    to || all.startsWith('\\') ? all : '""',
  );
  const [name = '', ...rest] = bare.split(/\s+/).map((word) => word.slice(word.lastIndexOf('/') + 1));
  const words = runners.test(name)
    ? rest.filter((word) => word !== 'run' && word !== '-m').slice(0, 3)
    : [name];
  const kind = name === 'test' ? undefined : words.flatMap(kindsOf)[0];
  const object = shortened(part, sizes.title);
  if (kind !== undefined) return [{ verb: kind, object: shortened(part + filter, sizes.title) }];
  const to = /(?:(?:^|[^\d&>=<-])>{1,2}|^tee(?: -a)?) ?("[^"]*"|'[^']*'|[^\s"'&>(]+)/.exec(bare)?.[1];
  // What is written for a moment changes nothing that counts.
  if (to !== undefined)
    return /^\W?\/(?:dev|tmp)\/|\.log$/.test(to) ? [] : [{ verb: 'wrote', object: unquoted(to) }];
  if ((name === 'sed' || name === 'perl') && rest.some((word) => /^-(?:\w*i|-in-place)/.test(word)))
    return [{ verb: 'edited', object: unquoted(part.split(/\s/).at(-1) ?? '') }];
  const plain = bare.replace(/^git(?: -[cC] \S+)+/, 'git');
  if (!changes.test(plain) || looks.test(plain)) return [];
  const message = /\s(?:-\w*m|--message)[ =]?(?:"((?:[^"\\\n]|\\.)*)|'([^'\n]*))/.exec(part);
  const title = message?.[1] ?? message?.[2];
  if (title === undefined || !plain.startsWith('git commit')) return [{ verb: 'ran', object }];
  return [{ verb: 'committed', object: `"${shortened(title, sizes.title)}"` }];
}

function kindsOf(word: string): string[] {
  return [...checks].flatMap(([kind, pattern]) => (pattern.test(word) ? [kind] : []));
}

function unquoted(word: string): string {
  return word.replace(/["']/g, '');
}

/** What a patch of the form `*** Begin Patch` does. */
export const patchMark = '*** Begin Patch';
export function actionsOfPatch(patch: string): readonly Action[] {
  return [...patch.matchAll(/^\*\*\* (Add|Update|Delete) File: ([^\r\n]+)/gm)].map(([, how, path = '']) => ({
    verb: how === 'Add' ? 'wrote' : how === 'Delete' ? 'deleted' : 'edited',
    object: path.trim(),
  }));
}
