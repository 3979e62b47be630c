import { ConfigError } from '@ctx/core';
import { nearest } from '@ctx/core/kit';
import { summaryPrompt } from './prompt.js';

/** Of the documents behind this project: seven sections, with the user's instructions word for word. */
const structured = `Your task is to create a detailed summary of the conversation so far, paying close attention to the user's explicit requests and your previous actions.

**CRITICAL**: You MUST preserve all user instructions, especially short but important commands like:
- Configuration changes ("use PostgreSQL", "change port to 3001")
- Global requirements ("all APIs need logging", "use red theme")
- Technical decisions ("use JWT authentication", "implement caching with Redis")
- Corrections and modifications ("change the color to blue", "fix the error in line 42")

Even if these instructions are brief (5-20 tokens), they are often the most important directives.

This summary should be structured as follows:

Context: The context to continue the conversation with. This MUST include:

  1. Previous Conversation: High level details about what was discussed throughout the entire conversation with the user.

  2. **User Instructions (CRITICAL)**: List ALL user instructions verbatim, especially:
     - Short commands (e.g., "use PostgreSQL", "change port to 3001")
     - Configuration requirements (e.g., "all APIs need logging")
     - Technical decisions (e.g., "implement JWT authentication")
     - Style preferences (e.g., "use blue theme")

     Format each instruction as:
     - "[Verbatim user quote]" (Message #X)

  3. Current Work: Describe in detail what was being worked on prior to this request.

  4. Key Technical Concepts: List all important technical concepts and frameworks.

  5. Relevant Files and Code: Enumerate specific files examined or modified.

  6. Problem Solving: Document problems solved and ongoing troubleshooting.

  7. Pending Tasks and Next Steps: Outline all pending tasks with direct quotes.

Output only the summary, without additional commentary.`;

/** Of the same documents: four points, brief. */
const short = `Please provide a concise summary of the conversation so far,
focusing on:
- The main task or goal
- Key decisions made
- Important context that should be retained
- Current state and next steps

Keep the summary brief but comprehensive.`;

const prompts = { structured, short } as const;

/**
 * The system prompt for a model: one by its name, a text as it stands, or, where nothing is said, the built-in one.
 * @throws ConfigError `config-invalid` for a single word that is not a known name: nobody prompts a model with one word
 */
export function promptOf(given: string | undefined): string {
  if (given === undefined || given.trim() === '') return summaryPrompt;
  if (isNamed(given)) return prompts[given];
  if (!/^[\w-]+$/.test(given)) return given;
  const names = Object.keys(prompts);
  const guess = nearest(given, names);
  throw new ConfigError({
    code: 'config-invalid',
    problem: 'There is no prompt of this name',
    place: 'prompt',
    value: given,
    remedy:
      guess === undefined ? `Give ${names.join(', ')}, or the text of a prompt.` : `Did you mean "${guess}"?`,
  });
}

function isNamed(name: string): name is keyof typeof prompts {
  return Object.hasOwn(prompts, name);
}
