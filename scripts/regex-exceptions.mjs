/**
 * Regular expressions that the checker finds slow or can't judge (those with look-around, and the largest ones), each with the reason why
 * it takes no more than linear time here.
 */
export const exceptions = [
  {
    file: 'scripts/fresh-projects.mjs',
    pattern: String.raw`^import (\{[^}]+\}) from ('[^']+');$`,
    reason: 'sees the programs of our README',
  },
  {
    file: 'scripts/readme-programs.mjs',
    pattern:
      String.raw`(?:<!-- snippet: ([^\n]*?) -->\n)?^\`\`\`(?:ts|typescript)\n([\s\S]*?)^\`\`\`$(\n\nprints\n\n\`\`\`\n([\s\S]*?)^\`\`\`$)?`.replaceAll(
        '\\`',
        '`',
      ),
    reason: 'sees our README',
  },
  {
    file: 'scripts/readme-programs.mjs',
    pattern: String.raw`^import [\s\S]*?;\n`,
    reason: 'sees the programs of our README',
  },
  {
    file: 'packages/memory/archive/src/search/filter.ts',
    pattern: String.raw`(?<!\/)\/+$`,
    reason: 'the look behind lets a match begin only at the start of a run',
  },
  {
    file: 'packages/memory/archive/src/search/pairs.ts',
    pattern: String.raw`\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}\p{N}]+|\n`,
    reason: 'a run of capitals gives back one letter at most',
  },
  {
    file: 'packages/memory/archive/src/search/terms.ts',
    pattern: String.raw`(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|[_$]+`,
    reason: 'looks one character back and two ahead',
  },
  {
    file: 'packages/core/src/count/tokenizer.ts',
    pattern: 'new RegExp(pattern)',
    reason: 'a copy of the pattern of gpt-tokenizer; count-guard.ts cuts what would be long pieces',
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
    file: 'packages/strategies/models/src/anthropic-compatible.ts',
    pattern: String.raw`(?<!\/)\/+$`,
    reason: 'the look behind lets a match begin only at the start of a run',
  },
  {
    file: 'packages/strategies/models/src/openai-compatible.ts',
    pattern: String.raw`(?<!\/)\/+$`,
    reason: 'the look behind lets a match begin only at the start of a run',
  },
  {
    file: 'packages/strategies/file-folding/src/definitions/fallback.ts',
    pattern: '[`"[\\]]|(?<![:.!?-])[:.!?-]+$',
    reason: 'sees at most 200 characters of a name',
  },
  {
    file: 'packages/strategies/file-folding/src/definitions/fallback.ts',
    pattern:
      '^[ \\t]{0,40}create[ \\t]+(?:or[ \\t]+replace[ \\t]+)?(?:temp(?:orary)?[ \\t]+|materialized[ \\t]+|global[ \\t]+|unlogged[ \\t]+)*(table|view|type|function|procedure|trigger|package)[ \\t]+(?:body[ \\t]+)?(?:if[ \\t]+not[ \\t]+exists[ \\t]+)?([`"[\\]\\w.$]{1,200})',
    reason: 'anchored at the start of at most 1,000 characters of a line',
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
    file: 'packages/strategies/file-folding/src/definitions/name-of.ts',
    pattern: String.raw`^(["'])(.*)\1$`,
    reason: 'sees at most 200 characters of a name',
  },
  {
    file: 'packages/strategies/file-folding/src/read-text.ts',
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
    file: 'packages/strategies/excerpt/src/terms/explain-compound.ts',
    pattern: String.raw`^(?:\.\/)+|^~|(?<!\/)\/+$`,
    reason: 'the look behind lets a match begin only at the start of a run',
  },
  {
    file: 'packages/strategies/excerpt/src/terms/explain-word.ts',
    pattern: '^[_$]+|(?<![_$])[_$]+$',
    reason: 'the look behind lets a match begin only at the start of a run',
  },
  {
    file: 'packages/strategies/excerpt/src/units.ts',
    pattern: String.raw`"([^"\\\n]{1,80})"\s*:`,
    reason: 'the name between the quotes has at most 80 characters, and runs of white space do not overlap',
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
    file: 'packages/strategies/file-folding/src/definitions/fallback.ts',
    pattern:
      '^[ \\t]{0,40}(?:(?:public|private|protected|internal|export|default|pub|abstract|final|sealed|static|async|override|open|data|inline|partial|virtual|suspend|local|pure|recursive|case|implicit|unsafe|extern|global|Public|Private)[ \\t]+){0,6}(class|struct|enum|record|object|module|defmodule|namespace|interface|trait|protocol|def|defp|defn|func|function|fun|fn|sub|proc|procedure|macro|Class|Module|Function|Sub)[ \\t]+([\\p{L}_$][\\p{L}\\p{N}_$.:!?-]{0,199})',
    reason: 'anchored at the start of at most 1,000 characters of a line',
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
    file: 'packages/tools/bench/src/report/page/session/search.ts',
    pattern: "new RegExp(query.replace(/[.*+?^$()|{}[\\]\\\\]/g, '\\\\$&'), 'i')",
    reason: 'a text that is looked for as it is: every sign with a meaning is escaped',
  },
];
