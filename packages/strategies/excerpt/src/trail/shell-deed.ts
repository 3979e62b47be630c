/** What was done: something that changed the world outside the conversation, or a run of tests. */
export interface Deed {
  /** `edited`, `wrote`, `deleted`, `moved`, `ran`, `tests`, `called`, or what the host says of a tool. */
  readonly verb: string;
  /** The path, the command, or the call in short. */
  readonly object: string;
}

/** UTF-16 units of a command in a trail, and of one that is read. */
const longestCommand = 100;
const longestRead = 20_000;

/** Commands that change something, whatever comes after them. */
const changing = new Set(
  'mv rm cp mkdir rmdir touch chmod chown ln tee dd truncate patch kill pkill crontab'.split(' '),
);
/** Commands of which some subcommands change something. */
const changingWith: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    git: 'add commit push merge rebase checkout switch restore reset revert stash tag mv rm cherry-pick clone init pull apply',
    npm: 'i install ci uninstall publish version update init',
    pnpm: 'i install add remove update publish',
    yarn: 'add remove install publish',
    pip: 'install uninstall',
    pip3: 'install uninstall',
    uv: 'add remove sync',
    poetry: 'add install remove',
    cargo: 'add install publish update',
    go: 'get install mod',
    apt: 'install remove',
    'apt-get': 'install remove',
    brew: 'install uninstall',
    docker: 'run build rm stop start push pull compose',
    kubectl: 'apply delete create scale rollout patch set',
    terraform: 'apply destroy',
    systemctl: 'start stop restart enable disable',
    gh: 'pr issue release repo',
  }).map(([command, subcommands]) => [command, new Set(subcommands.split(' '))]),
);
/** What runs tests by itself, and what does so with `test` among its arguments. */
const testRunners = new Set(
  'jest vitest pytest py.test mocha rspec phpunit tox ctest unittest ava tap'.split(' '),
);
const testing = new Set(
  'npm pnpm yarn bun deno make cargo go dotnet mix swift mvn gradle gradlew rake bundle node npx'.split(' '),
);
/** Words before the command itself. */
const leading = new Set('sudo time env exec nohup npx bunx uvx poetry uv run'.split(' '));

/** What a shell command did. Its parts are judged one by one; quoted texts and here-documents hold no commands. */
export function deedsOfCommand(command: string): readonly Deed[] {
  const text = command.slice(0, longestRead);
  if (text.includes('*** Begin Patch'))
    return pathsInPatch(text).map((object) => ({ verb: 'edited', object }));
  return commandsIn(withoutDocuments(text))
    .map((part) => part.trim())
    .flatMap(deedOf);
}

/** Removes here-documents. If one is an argument, such as the message of a commit, its first line remains in quotes. */
function withoutDocuments(text: string): string {
  const lines = text.split('\n');
  const read: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as string;
    const opening = /<<-? ?["']?([A-Za-z_]\w*)["']?/.exec(line);
    if (opening === null) read.push(line);
    else {
      const before = line.slice(0, opening.index).trimEnd();
      const after = line.slice(opening.index + opening[0].length);
      const message = lines[at + 1]?.replace(/["\\]/g, '') ?? '';
      const end = lines.findIndex((one, index) => index > at && one.trim() === opening[1]);
      at = end < 0 ? lines.length : end;
      if (!before.endsWith('"$(cat')) read.push(`${before}${after}`);
      else
        lines[at + 1] =
          `${before.slice(0, -'$(cat'.length)}${message}${lines[at + 1]?.replace(/^\s*\)/, '') ?? '"'}`;
    }
  }
  return read.join('\n');
}

/** Divides a line of commands between them, and nowhere inside quotes. */
function commandsIn(text: string): readonly string[] {
  const parts = text.match(/"(?:[^"\\]|\\.)*"|'[^']*'|\\.|&&|\|\||./gs) ?? [];
  const commands = [''];
  for (const part of parts)
    if (part === ';' || part === '\n' || part === '&&' || part === '||') commands.push('');
    else commands[commands.length - 1] += part;
  return commands;
}

function deedOf(part: string): readonly Deed[] {
  const words = part.split(/\s+/);
  const target = writtenTo(words);
  if (isTest(words)) return [{ verb: 'tests', object: shortened(part) }];
  if (target !== undefined) return [{ verb: 'wrote', object: target }];
  const [name = '', ...rest] = words.slice(words.findIndex((word) => word !== 'sudo'));
  if (name === 'sed' || name === 'perl') {
    const isInPlace = rest.some((word) => word.startsWith('-') && word.includes('i'));
    const file = unquoted(rest.at(-1) ?? '');
    return isInPlace && file !== '' ? [{ verb: 'edited', object: file }] : [];
  }
  const subcommands = Object.hasOwn(changingWith, name) ? changingWith[name] : undefined;
  const isChange =
    changing.has(name) ||
    subcommands?.has(rest.find(isWord) ?? '') === true ||
    (name === 'curl' && sendsData(rest));
  return isChange ? [{ verb: 'ran', object: shortened(part) }] : [];
}

/** Whether a request is made that changes something, as `-X POST` or `-XDELETE`. */
function sendsData(options: readonly string[]): boolean {
  return options.some((option, at) => {
    const method = option === '-X' || option === '--request' ? options[at + 1] : option.replace(/^-X/, '');
    return method === 'POST' || method === 'PUT' || method === 'PATCH' || method === 'DELETE';
  });
}

/** The file that the output goes to; undefined for none, and for `/dev/null`. */
function writtenTo(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => word.startsWith('>'));
  const file = at < 0 ? '' : unquoted((words[at] as string).replace(/^>{1,2}/, '') || (words[at + 1] ?? ''));
  return file === '' || file.startsWith('&') || file.startsWith('/dev/') ? undefined : file;
}

function isTest(words: readonly string[]): boolean {
  const own = words.slice(words.findIndex((word) => !leading.has(word)));
  const names = own.map((word) => word.slice(word.lastIndexOf('/') + 1));
  const [name = '', ...rest] = names;
  if (testRunners.has(name)) return true;
  if (name.startsWith('python'))
    return rest.some((word) => testRunners.has(word) || /^test\w*\.py$/.test(word));
  return (
    testing.has(name) && rest.some((word) => word === '--test' || /^(?:test|check|spec)(?![a-z])/.test(word))
  );
}

function isWord(argument: string): boolean {
  return !argument.startsWith('-') && !argument.includes('/') && !argument.includes('=');
}

function unquoted(word: string): string {
  return word.replace(/["']/g, '');
}

/** A command on one line, cut at the end of a word. */
function shortened(command: string): string {
  const line = command.replace(/\s+/g, ' ').trim();
  if (line.length <= longestCommand) return line;
  const end = line.lastIndexOf(' ', longestCommand);
  return `${line.slice(0, end > 0 ? end : longestCommand)} …`;
}

/** The paths in a patch of the form `*** Begin Patch`, each once. */
export function pathsInPatch(patch: string): readonly string[] {
  const found = patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: ([^\r\n]+)/gm);
  return [...new Set([...found].map(([, path]) => (path as string).trim()))];
}
