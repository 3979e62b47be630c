/**
 * Regular expressions that the checker finds slow or can't judge (those with look-around, and the largest ones), each with the reason why
 * it takes no more than linear time here.
 */
export const exceptions = [
  {
    file: 'packages/memory/archive/src/search/filter.ts',
    pattern: String.raw`(?<!\/)\/+$`,
    reason: 'the look behind lets a match begin only at the start of a run',
  },
  {
    file: 'packages/memory/archive/src/search/terms.ts',
    pattern: String.raw`(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|[_$]+`,
    reason: 'looks one character back and two ahead',
  },
  {
    file: 'packages/core/src/kit/cut-text.ts',
    pattern: String.raw`\B(?=(\d{3})+$)`,
    reason: 'sees the digits of a number',
  },
  {
    file: 'packages/tools/sessions/src/files/records.ts',
    pattern: String.raw`"([\s\S]+?)"(?:\.\.\.)? is not valid JSON$`,
    reason: "sees the message of a JSON parser's error, which shows ten characters of the text",
  },
  {
    file: 'packages/strategies/file-folding/src/definitions/languages.ts',
    pattern: String.raw`^[ \t]*(?:class[ \t]+\w+(?:[ \t]+final)?[ \t]*(?:[{;]|:[^:]|\r?$)|namespace[ \t]+[\w:]+[ \t]*(?:\{|\r?$)|namespace[ \t]*\{|template[ \t]*<|using[ \t]+\w|(?:public|private|protected)[ \t]*:)|^[ \t]*#[ \t]*include[ \t]*<\w+>|\bstd::`,
    reason: 'sees at most 500 characters of a line',
  },
  {
    file: 'packages/strategies/file-folding/src/definitions/markdown.ts',
    pattern: String.raw`^ {0,3}(#{1,6})(?:[ \t]+(.*))?$`,
    reason: 'sees at most 1,000 characters of a line',
  },
  {
    file: 'packages/strategies/file-folding/src/definitions/markdown.ts',
    pattern: '^ {0,3}(`{3,}(?!.*`)|~{3,})',
    reason: 'sees at most 1,000 characters of a line',
  },
  {
    file: 'packages/strategies/file-folding/src/definitions/walk.ts',
    pattern: String.raw`^(["'])(.*)\1$`,
    reason: 'sees at most 200 characters of a name',
  },
  {
    file: 'packages/strategies/file-folding/src/port.ts',
    pattern: String.raw`^[ \t]*<\/?(?:file|path|content|file_content|files)\b[^<>]{0,400}>[ \t]*$`,
    reason: 'sees at most 500 characters of a line',
  },
  {
    file: 'packages/strategies/excerpt/src/excerpt-text.ts',
    pattern: '^ {4}(?= *#{1,6}(?: |$))',
    reason: 'looks from the start of each line, over the spaces there',
  },
  {
    file: 'packages/strategies/excerpt/src/excerpt-text.ts',
    pattern: '^(?= *#{1,6}(?: |$))',
    reason: 'looks from the start of each line, over the spaces there',
  },
  {
    file: 'packages/strategies/excerpt/src/terms/token-meaning.ts',
    pattern: "new RegExp(alternatives.map(({ source }) => source).join('|'), 'g')",
    reason: 'joins expressions that are judged one by one: where each takes linear time, so do all in turn',
  },
  {
    file: 'examples/snippets/snippets.ts',
    pattern: '(?:<!-- snippet: ([^\\n]*?) -->\\n)?^```(?:ts|typescript)\\n([\\s\\S]*?)^```$',
    reason: "sees this repository's documents",
  },
  {
    file: 'packages/tools/bench/src/atoms.ts',
    pattern: '(?<![\\w.+-])[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+',
    reason: 'the look behind lets a match begin only at the start of a run',
  },
  {
    file: 'packages/tools/bench/src/atoms.ts',
    pattern: '(?:(?<![\\w.@~-])[\\w.@~-]+)?(?:\\/[\\w.@+-]+)+',
    reason: 'the look behind lets a match begin only at the start of a run, or at a slash',
  },
  {
    file: 'packages/tools/bench/src/atoms.ts',
    pattern: '\\b[A-Za-z_$][\\w$-]{0,99}(?:\\.[A-Za-z_$][\\w$-]{0,99})+',
    reason: 'a name has at most 100 characters, and nothing can fail after a first match',
  },
  {
    file: 'packages/tools/bench/src/atoms.ts',
    pattern: '\\b(?=[\\w]*\\d)(?=[\\w]*[A-Za-z])[A-Za-z0-9]{5,}\\b',
    reason: 'looks ahead over one word, from its start only',
  },
  {
    file: 'packages/tools/bench/src/atoms.ts',
    pattern: '"([^"\\n]*)"|(?<!\\w)\'([^\'\\n]*)\'(?!\\w)|`([^`\\n]*)`',
    reason: 'a match ends at the next quote of its kind; sees at most 20,000 characters of a line',
  },
  {
    file: 'packages/tools/bench/src/atoms.ts',
    pattern: '(?<![.,;:!?\'"-])[.,;:!?\'"-]+$',
    reason: 'the look behind lets a match begin only at the start of a run',
  },
  {
    file: 'packages/core/src/kit/importance.ts',
    pattern: "new RegExp(patterns.join('|'), 'giu')",
    reason: 'alternatives of escaped words, with one run of white space between two words',
  },
  {
    file: 'scripts/boundaries.mjs',
    pattern:
      '\\/\\*[\\s\\S]*?\\*\\/|\\/\\/[^\\n]*|\'(?:\\\\.|[^\'\\\\\\n])*\'|"(?:\\\\.|[^"\\\\\\n])*"|`(?:\\\\[\\s\\S]|[^`\\\\])*`',
    reason: "sees this repository's sources",
  },
  {
    file: 'scripts/boundaries.mjs',
    pattern: '^[ \\t]*(?:import|export)\\b(?:[^\'"`;]*?\\bfrom)?\\s*[\'"]([^\'"\\n]+)[\'"]',
    reason: "sees this repository's sources",
  },
  {
    file: 'scripts/boundaries.mjs',
    pattern:
      '\\b(?:import|import\\.meta\\.resolve|require|require\\.resolve|jest\\.\\w+)\\s*\\(\\s*[\'"]([^\'"\\n]+)[\'"]',
    reason: "sees this repository's sources",
  },
  {
    file: 'scripts/boundaries.mjs',
    pattern: "new RegExp(named.join('|'), 'gi')",
    reason: 'each name is as long as its letters, with at most one more between two words',
  },
  {
    file: 'packages/strategies/excerpt/src/trail/command.ts',
    pattern: String.raw`^(?:(?:mv|rm|cp|rmdir|touch|chmod|chown|ln|dd|truncate|patch|kill|pkill|crontab)|git (?:commit|push|merge|rebase|checkout|switch|restore|reset|revert|stash|tag|mv|rm|cherry-pick|clone|init|pull|apply|worktree (?:add|remove))|(?:npm|pnpm|yarn|bun|pip3?|uv|poetry|cargo|go|gem|apt|apt-get|brew|mix) (?:i|install|ci|add|remove|uninstall|publish|sync|get|update|version)|(?:docker|kubectl|terraform|systemctl) (?:run|build|rm|start|stop|restart|push|pull|apply|delete|create|scale|patch|set|destroy|enable|disable)|gh (?:pr|issue|release|repo) (?:create|edit|merge|close|reopen|comment|review|delete|ready)|curl .*(?:-X ?|--request )(?:POST|PUT|PATCH|DELETE))(?:\s|$)`,
    reason: 'begins at the start of a command of at most 20,000 characters, and has one repetition',
  },
  {
    file: 'packages/strategies/excerpt/src/trail/command.ts',
    pattern: String.raw`^(?:[({!&\s]|(?:sudo|time|env|exec|nohup|xargs|rtk|do|then|npx|bunx|uvx|(?:poetry|uv|pnpm|bundle|npm) exec|(?:poetry|uv) run|timeout \S+|\w+=[^\s"']*) )+`,
    reason: 'nothing follows the repetition, so nothing is tried again',
  },
  {
    file: 'packages/strategies/excerpt/src/trail/command.ts',
    pattern: String.raw`"\$\(cat <<-? ?["']?(\w+)["']?\n([^\n]*)[\s\S]*?(?:\n[ \t]*\1\n?[ \t]*\)"|$)`,
    reason: 'a here-document may end with the text, so each is passed once',
  },
  {
    file: 'packages/strategies/excerpt/src/trail/command.ts',
    pattern: String.raw`<<-? ?["']?([A-Za-z_]\w*)["']?([^\n]*)[\s\S]*?(?:\n[ \t]*\1(?=\n|$)|$)`,
    reason: 'a here-document may end with the text, so each is passed once',
  },
  {
    file: 'packages/strategies/excerpt/src/trail/outcome.ts',
    pattern: String.raw`^(?:$|---|===|[✓✔√] |> |\$ |npm warn|Chunk ID:|Wall time|Process exited|Original token count|Output:$|Exit code:? \d+$|debugger|waiting for the debugger|no output$|\(no output\)$|test result: ok\. 0 passed)`,
    reason: 'sees the beginning of a line',
  },
  {
    file: 'packages/strategies/excerpt/src/trail/outcome.ts',
    pattern: String.raw`\b\d+ (?:[a-z]+ )?(?:pass(?:ed|ing)?|fail(?:ed|ing|ures?)?|errors?|problems?|issues?|tests?)\b|\b(?:pass|passed|fail|failed|failures?|errors?|issues): ?\d|^(?:FAIL|PASS|BUILD \w+)\b|^ok(?:$| \(|\s+\S+\s+[\d.(])|\bno (?:issues|errors|problems)|error TS\d|^\W (?:pass|fail) \d`,
    reason: 'sees a line of at most 400 characters',
  },
  {
    file: 'packages/strategies/excerpt/src/trail/outcome.ts',
    pattern: String.raw`(?<![\d.])[1-9]\d* (?:[a-z]+ )?(?:fail(?:ed|ing|ures?)?|errors?|problems|issues)\b|\b(?:fail|failed|failures?|errors?): ?[1-9]|^FAIL|error TS\d|^\W fail [1-9]`,
    reason: 'sees a line of at most 400 characters',
  },
  {
    file: 'packages/strategies/excerpt/src/trail/outcome.ts',
    pattern: String.raw`^\[(?:detached HEAD|[\w./#-]+)(?: \(root-commit\))? [\da-f]{7,40}\] `,
    reason: 'sees the beginning of a line, up to its first space',
  },
  {
    file: 'packages/strategies/excerpt/src/trail/trail.ts',
    pattern: String.raw`running (?:in (?:the )?background )?with (?:session )?id:? ?(\w+)`,
    reason: 'sees 200 characters',
  },
];
